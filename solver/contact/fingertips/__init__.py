"""Things held between fingertips: small ones by thumb and index finger, flat ones by thumb and all fingers."""
