"""(α,k)-anonymity: how sure a guess of the most frequent sensitive value of a class can be."""
