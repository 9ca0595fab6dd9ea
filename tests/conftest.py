"""What all tests share; its folder is importable, so helper modules such as `engines` may lie beside it."""
