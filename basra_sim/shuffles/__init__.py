"""The shuffle lab: generators, exact laws, tests, deck logs, verdicts. Independent of the engine."""
