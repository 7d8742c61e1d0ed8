"""Can it be played stupidly? Simple players and a clever one against the players we ship; what decisions are worth."""
