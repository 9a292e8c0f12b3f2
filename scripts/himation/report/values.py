"""What the page shows of one data set, as plain values: no paths, no arrays but the points of a curve."""

from dataclasses import dataclass, field

from himation.task_names import KNOWING

LIKELY = 0.5  # share of the networks from which a cause is likely

PARENT, CHILD, SPOUSE, CONFOUNDED, UNDIRECTED, NONE = "parent", "child", "spouse", "confounded", "undirected", "none"
SET, SHIFTED, SAME, UNSURE = "set", "shifted", "same", "unsure"  # what became of a variable in the test table
ROLES = (PARENT, CHILD, SPOUSE, UNDIRECTED, CONFOUNDED, NONE)


@dataclass(frozen=True)
class Direction:
    """What the Y-tests say for one direction of an edge; None where there is no such test."""

    tests: int
    p_score: float | None
    p_dependent: float | None
    log_ratio: float | None


@dataclass(frozen=True)
class YEdge:
    """The Y-tests of the edge between a variable and the target."""

    causes: Direction  # variable -> target
    caused: Direction  # target -> variable


@dataclass(frozen=True)
class Variable:
    """A row of the evidence table. ``through`` has (column of a child, probability that the variable causes it).

    ``p_...`` are the shares of the sampled networks in which it has that role. ``forward``, ``backward`` and
    ``undirected`` are the shares of the oriented graphs with an edge from the variable to the target, from the target
    to the variable, and without a direction. ``inclusion`` is the share of the sampled networks that would use it
    under the manipulation (None: not asked); ``by_thesis`` whether the thesis's rule would have chosen it.
    """

    name: str
    column: int
    role: str = NONE
    p_parent: float = 0.0
    p_child: float = 0.0
    p_spouse: float = 0.0
    p_ancestor: float = 0.0
    parent_tests: int = 0
    parent_p_score: float = 0.0
    child_tests: int = 0
    child_p_score: float = 0.0
    forward: float = 0.0
    backward: float = 0.0
    undirected: float = 0.0
    arrow_at_target: int = 0
    arrow_at_variable: int = 0
    edge: YEdge | None = None
    through: tuple[tuple[int, float], ...] = ()
    depth: int | None = None
    manipulated: bool = False
    selected: bool = False
    in_blanket: bool = False
    ranks: dict[str, int] = field(default_factory=dict)
    reason: str = ""
    inclusion: float | None = None
    by_thesis: bool = False
    thesis_reason: str = ""

    @property
    def certainty(self) -> float:
        """The probability of the role given, or of the likelier direction where there is none."""
        by_role = {PARENT: self.p_parent, CHILD: self.p_child, SPOUSE: self.p_spouse}
        return by_role.get(self.role, max(self.p_parent, self.p_child))

    @property
    def matters(self) -> bool:
        """Whether anything but a place in the region speaks for it."""
        chosen = self.selected or self.by_thesis or self.in_blanket or bool(self.ranks)
        return chosen or self.role != NONE or self.p_ancestor >= 0.5


@dataclass(frozen=True)
class Method:
    """A blanket finder's answer, best first, with the features that it built and its settings in words."""

    id: str
    members: tuple[int, ...]
    settings: str = ""
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measured:
    """A number with its standard error (None: not known) and a remark."""

    label: str
    value: float
    error: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Candidate:
    """A set of variables that was compared by rows held out; ``chosen`` predicts in nature."""

    auc: Measured
    size: int
    chosen: bool


@dataclass(frozen=True)
class Rival:
    """A set of variables by its expected AUC under the manipulation; ``natural`` is its AUC without one."""

    label: str
    size: int
    expected: Measured
    natural: float
    used: bool


@dataclass(frozen=True)
class Networks:
    """The sampled networks: how many, of how many variables, and how far the chains agree on who is a parent.

    ``least_sure`` are names; ``reliability`` is the mean factor by which links to the target are taken to be stronger
    than its labels show, ``exact`` the probability that this factor is 1; ``copy`` is the correlation of the labels
    with a hidden copy that effects see in their place, 0 if there is none.
    """

    chains: int
    draws: int
    variables: int
    converged: bool
    largest_error: float
    least_sure: tuple[str, ...]
    reliability: float
    exact: float
    copy: float = 0.0


@dataclass(frozen=True)
class Judged:
    """A variable with evidence whose true role is known."""

    column: int
    role: str
    p_parent: float
    p_child: float
    truth: str


@dataclass(frozen=True)
class Noise:
    """One example on the grid before and after its noise was removed, and the calibrants' spread in all examples."""

    example: int
    grid: tuple[int, int]
    calibrants: tuple[int, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    sd_before: float
    sd_after: float


@dataclass(frozen=True)
class YTest:
    """A and B meet in C, which causes D without confounding; ``shows`` says what follows for the target."""

    a: str
    b: str
    c: str
    d: str
    p_score: float
    shows: str


@dataclass(frozen=True)
class Curve:
    """A ROC curve; ``fitted`` if the model has seen the examples."""

    label: str
    fpr: tuple[float, ...]
    tpr: tuple[float, ...]
    auc: float
    fitted: bool


@dataclass(frozen=True)
class Score:
    """A row of scores.tsv."""

    score: str
    of: str
    value: float
    error: float | None
    note: str


@dataclass(frozen=True)
class Step:
    """What a step took: seconds and megabytes, or None where not recorded."""

    name: str
    seconds: float | None
    megabytes: float | None


@dataclass(frozen=True)
class Association:
    """Whether anything in the table goes with the target: a test of all variables, with what it looked at."""

    found: bool
    p_value: float
    permutations: int
    parts: tuple[str, ...]


@dataclass(frozen=True)
class Distribution:
    """Shares of the training and of the test examples in ranges between ``edges``, or with values called ``labels``;
    ``moved`` if chance does not explain the difference."""

    train: tuple[float, ...]
    test: tuple[float, ...]
    moved: bool
    edges: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Link:
    """How a variable goes with its companion: (value of the companion, mean of the variable, standard error) in groups
    of the training and of the test examples. ``of`` says what the mean is, ``labels`` what the companion's values
    0, 1, ... are called; ``moved`` if chance does not explain the difference of the correlations."""

    train: tuple[tuple[float, float, float], ...]
    test: tuple[tuple[float, float, float], ...]
    of: str
    moved: bool
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Changed:
    """A row of manipulated.tsv. ``listed`` if the user said that it was manipulated; ``hardly`` if it was not selected
    and a few members of the ensemble use it; ``companion`` is a name. Pictures, and numbers in the user's units, are
    there for the rows that are shown."""

    name: str
    column: int
    verdict: str
    p_set: float
    p_shifted: float
    p_same: float
    networks: float
    listed: bool = False
    selected: bool = False
    hardly: bool = False
    companion: str = ""
    r_train: float | None = None
    r_test: float | None = None
    means: tuple[float, float] | None = None
    spreads: tuple[float, float] | None = None
    distribution: Distribution | None = None
    link: Link | None = None

    @property
    def p_changed(self) -> float:
        return self.p_set + self.p_shifted


@dataclass(frozen=True)
class EffectRow:
    """A row of effects.tsv: setting the variable from ``before`` to ``after`` changes P(positive) by ``effect``."""

    name: str
    column: int
    p_cause: float
    effect: float
    low: float
    high: float
    before: str
    after: str

    @property
    def clear(self) -> bool:
        """Whether most networks have it as a cause, and its interval keeps clear of nought."""
        return self.p_cause >= LIKELY and (self.low > 0 or self.high < 0)


@dataclass(frozen=True)
class Changes:
    """What the test table says of the manipulation. ``rows`` are the variables that are not the same, and those listed
    by the user, the most suspicious first; ``shown`` the first of all. ``used`` if the selection goes by it."""

    used: bool
    why: str
    words: str
    told: float
    test_rows: int
    share_set: float
    share_shifted: float
    prior_share: float
    rows: tuple[Changed, ...]
    shown: tuple[Changed, ...]

    def having(self, *verdicts: str) -> list[Changed]:
        return [row for row in self.rows if row.verdict in verdicts]


@dataclass(frozen=True)
class DataSet:
    """Everything the page shows of a data set. ``variables`` are those worth a row; ``n_variables`` counts all.

    ``expected`` is the model's AUC on fresh natural rows, ``under`` that under the manipulation (None where nothing was
    manipulated), ``measured`` how these were made, ``lucky`` whether the interval of the AUC includes chance;
    ``stability`` is the share of the folds that selected a column. ``judged`` compares roles with the truth, None if
    not known; ``missed`` counts true parents and children for which there is no evidence. ``panels`` has for each set
    of variables that members of the ensemble take the number of networks it comes from; empty where all take every
    variable. ``changes`` is what the test table says of the manipulation, None where there is no test table.
    ``effects`` are the largest that setting a variable would have on the probability of the label ``positive``, None
    where they were not estimated.
    """

    id: str
    target: str
    facts: tuple[tuple[str, str], ...]
    n_variables: int
    variables: tuple[Variable, ...]
    unlisted: int
    rule: str
    manipulation: str
    n_manipulated: int
    fallback: bool
    blanket_size: int
    association: Association | None = None
    methods: tuple[Method, ...] = ()
    blanket_note: str = ""
    candidates: tuple[Candidate, ...] = ()
    y_tests: tuple[YTest, ...] = ()
    n_y_tests: int = 0
    n_target_y_tests: int = 0
    expected: Measured | None = None
    model_note: str = ""
    under: Measured | None = None
    rivals: tuple[Rival, ...] = ()
    lucky: bool = False
    measured: str = ""
    stability: dict[int, float] = field(default_factory=dict)
    networks: Networks | None = None
    panels: tuple[int, ...] = ()
    judged: tuple[Judged, ...] | None = None
    missed: int = 0
    noise: Noise | None = None
    achieved: Measured | None = None
    references: tuple[Measured, ...] = ()
    scores: tuple[Score, ...] = ()
    curves: tuple[Curve, ...] = ()
    changes: Changes | None = None
    effects: tuple[EffectRow, ...] | None = None
    positive: str = ""
    warnings: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()

    @property
    def selected(self) -> list[Variable]:
        return [v for v in self.variables if v.selected]

    @property
    def asked(self) -> bool:
        """Whether the test table was asked what was manipulated, and the selection goes by its answer."""
        return self.changes is not None and self.changes.used

    @property
    def compared(self) -> list[Variable]:
        """What is selected here or by the thesis's rule, where they differ first."""
        chosen = [v for v in self.variables if v.selected or v.by_thesis]
        return sorted(chosen, key=lambda v: v.selected == v.by_thesis)

    @property
    def nothing(self) -> bool:
        """Whether nothing was found that goes with the target."""
        return self.lucky or (self.association is not None and not self.association.found)

    @property
    def outlook(self) -> Measured | None:
        """The AUC to expect on the test table."""
        return self.under or self.expected

    @property
    def used(self) -> Rival | None:
        """The set that was selected, among those compared."""
        return next((rival for rival in self.rivals if rival.used), None)

    @property
    def best_reference(self) -> Measured | None:
        """The best model that knows the truth."""
        known = [r for r in self.references if r.label in KNOWING]
        return max(known, key=lambda r: r.value, default=None)
