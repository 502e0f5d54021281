"""The endpoints: one module for each verb."""
