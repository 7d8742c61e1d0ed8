"""Charts drawn as SVG inside the page: nothing to load, sharp in print, readable on a narrow screen and without colour.

All are drawn 400 units wide, so that words keep their size on a telephone. Every mark says what it shows: to the
pointer, and to the arrow keys once the chart has the focus. The numbers of every chart can be had as a table.
"""

from cartomancer.pages.charts.bars import Bars
from cartomancer.pages.charts.heat import Heat
from cartomancer.pages.charts.lines import Interval, Lines
from cartomancer.pages.charts.plot import Chart, Numbers, Series
from cartomancer.pages.charts.raster import Layer, Raster

__all__ = ["Bars", "Chart", "Heat", "Interval", "Layer", "Lines", "Numbers", "Raster", "Series"]
