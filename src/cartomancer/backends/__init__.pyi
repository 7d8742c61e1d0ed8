from cartomancer.backends.choice import backend_of as backend_of
from cartomancer.backends.tasks import Backend as Backend
