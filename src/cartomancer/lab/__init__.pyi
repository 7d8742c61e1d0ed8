from cartomancer.lab.expeditions import ExpeditionBatch as ExpeditionBatch
from cartomancer.lab.expeditions import is_preset as is_preset
from cartomancer.lab.expeditions import simulate_runs as simulate_runs
from cartomancer.lab.fidelity.measuring import FidelitySettings as FidelitySettings
from cartomancer.lab.fidelity.measuring import measured as _measured
from cartomancer.lab.fidelity.measuring import total_runs as total_runs
from cartomancer.lab.fidelity.rows import Fidelity as Fidelity
from cartomancer.lab.fidelity.rows import Row as _Row
from cartomancer.lab.fidelity.target_sets import chosen as _chosen
from cartomancer.lab.fidelity.target_sets import target_faults as target_faults
from cartomancer.lab.health import baseline as baseline
from cartomancer.lab.health import regression as regression
from cartomancer.lab.health.anomalies import KINDS as _KINDS
from cartomancer.lab.health.anomalies import CardEvidence as CardEvidence
from cartomancer.lab.health.anomalies import card_evidence as card_evidence
from cartomancer.lab.health.anomalies import find_anomalies as find_anomalies
from cartomancer.lab.health.cell_table import CellTable as CellTable
from cartomancer.lab.health.comparison import Comparison as Comparison
from cartomancer.lab.health.comparison import compare as compare
from cartomancer.lab.health.findings import Anomalies as Anomalies
from cartomancer.lab.health.findings import Finding as Finding
from cartomancer.lab.health.findings import with_replays as with_replays
from cartomancer.lab.matrix.cell_store import Settings as _Settings
from cartomancer.lab.matrix.cell_store import matrices as matrices
from cartomancer.lab.matrix.cell_store import stored_matrix as stored_matrix
from cartomancer.lab.matrix.compositions import Compositions as Compositions
from cartomancer.lab.matrix.compositions import sample as sample
from cartomancer.lab.matrix.ecosystem import LopsidedAgency as LopsidedAgency
from cartomancer.lab.matrix.ecosystem import Rule as Rule
from cartomancer.lab.matrix.matchups import Matrix as Matrix
from cartomancer.lab.matrix.matchups import matrix as _matrix
from cartomancer.lab.matrix.page import matrix_html as matrix_html
from cartomancer.lab.matrix.selection import Selection as Selection
from cartomancer.lab.matrix.selection import chosen_cells as chosen_cells
from cartomancer.lab.matrix.selection import select as select
from cartomancer.lab.matrix.summary import CompositionSummary as CompositionSummary
from cartomancer.lab.matrix.summary import StructureSummary as StructureSummary
from cartomancer.lab.matrix.summary import Summary as _Summary
from cartomancer.lab.matrix.summary import cell_list as cell_list
from cartomancer.lab.matrix.summary import summary as _summary
from cartomancer.lab.measures.batch import stored_summary as stored_summary
from cartomancer.lab.measures.batch import summary_of as summary_of
from cartomancer.lab.measures.context import ScenarioContext as ScenarioContext
from cartomancer.lab.measures.evidence import FALSE_DISCOVERIES as FALSE_DISCOVERIES
from cartomancer.lab.measures.evidence import Change as Change
from cartomancer.lab.measures.metrics import METRICS as METRICS
from cartomancer.lab.measures.metrics import Quality as Quality
from cartomancer.lab.measures.metrics import quality as quality
from cartomancer.lab.measures.registry import unit_of as unit_of
from cartomancer.lab.measures.run_table import QUICK as QUICK
from cartomancer.lab.measures.run_table import RunTable as RunTable
from cartomancer.lab.measures.verdicts import Metric as Metric
from cartomancer.lab.panel.characters import Characters as Characters
from cartomancer.lab.panel.characters import characters as characters
from cartomancer.lab.panel.characters import choices as choices
from cartomancer.lab.panel.decisions import Decisions as Decisions
from cartomancer.lab.panel.decisions import study as study
from cartomancer.lab.panel.panel import PANEL as PANEL
from cartomancer.lab.panel.panel import Panel as Panel
from cartomancer.lab.panel.panel import PanelSettings as PanelSettings
from cartomancer.lab.panel.panel import exploit as exploit
from cartomancer.lab.panel.panel import panel_runs as panel_runs
from cartomancer.lab.refusals import each_of as each_of
from cartomancer.lab.report.card_usage import CardUse as CardUse
from cartomancer.lab.report.causes import MOST_RUNS as MOST_RUNS
from cartomancer.lab.report.causes import add_causes as add_causes
from cartomancer.lab.report.causes import asks_for_causes as asks_for_causes
from cartomancer.lab.report.census import Census as Census
from cartomancer.lab.report.census import census as census
from cartomancer.lab.report.page import report_html as report_html
from cartomancer.lab.report.reports import Report as Report
from cartomancer.lab.report.reports import look_at as look_at
from cartomancer.lab.report.sparklines import sparkline as sparkline
from cartomancer.lab.report.survey import survey as survey
from cartomancer.lab.results import plain as plain
from cartomancer.lab.runs.jobs import job_of as job_of
from cartomancer.lab.runs.run_store import Results as Results
from cartomancer.lab.runs.running import Ran as Ran
from cartomancer.lab.runs.running import run_job as run_job
from cartomancer.lab.runs.sql import ask as ask
from cartomancer.lab.runs.sql import connect as connect
from cartomancer.lab.tuner import patch as patch
from cartomancer.lab.tuner import report as _report
from cartomancer.lab.tuner.fitting import FitSettings as FitSettings
from cartomancer.lab.tuner.fitting import fit as fit
from cartomancer.lab.tuner.request import TunerSettings as TunerSettings
from cartomancer.lab.tuner.result import Tuning as Tuning
from cartomancer.lab.tuner.tuner import tune as tune

fidelity_of = _measured
FidelityRow = _Row
chosen_targets = _chosen
ANOMALIES = _KINDS
MatrixSettings = _Settings
matrix_summary = _summary
tune_report = _report
MatrixSummary = _Summary
played_matrix = _matrix  # `lab.matrix` is the package
