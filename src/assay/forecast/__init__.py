"""How far apart will a dataset set systems? Predicted from the data alone (paper 000, §5)."""
