"""What the records of a run say: results, intervals, tables. Reads records; must not import the engine."""
