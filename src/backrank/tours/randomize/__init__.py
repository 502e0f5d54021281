"""Random tours: switches of rails until a tour has nothing in common with the first one."""
