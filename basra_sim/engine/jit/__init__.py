"""All numba policy: how a kernel is compiled and cached, the instructions that kernels are written in, how a strategy is called.

Nothing else in the house imports numba or llvmlite, and nothing here knows cards. In come plain Python functions; out come
compiled ones, or the same functions as they are where NUMBA_DISABLE_JIT is set.
"""
