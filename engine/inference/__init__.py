"""What samples say: pairs, intervals, exact tests, floors and verdicts; pure, warnings are data."""
