"use strict";
// Tables sort by a click on a heading, or Enter on it, and the evidence tables filter as one types.
(function () {
  function cellValue(row, index) {
    var cell = row.cells[index];
    var given = cell.getAttribute("data-value");
    var text = given === null ? cell.textContent.trim() : given;
    var number = Number(text);
    return text !== "" && !Number.isNaN(number) ? number : text.toLowerCase();
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return a < b ? -1 : a > b ? 1 : 0;
  }

  function sortBy(table, index) {
    var heading = table.tHead.rows[0].cells[index];
    var before = heading.getAttribute("aria-sort");
    // ranks, names and columns start with the least; probabilities, tests and marks with the most
    var first = heading.hasAttribute("data-most-first") ? "descending" : "ascending";
    var other = first === "ascending" ? "descending" : "ascending";
    var order = before === first ? other : first;
    var sign = order === "ascending" ? 1 : -1;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (cell) {
      cell.removeAttribute("aria-sort");
    });
    heading.setAttribute("aria-sort", order);
    var body = table.tBodies[0];
    var rows = Array.prototype.map.call(body.rows, function (row, position) {
      return { row: row, value: cellValue(row, index), position: position };
    });
    rows.sort(function (a, b) {
      return sign * compare(a.value, b.value) || a.position - b.position;
    });
    rows.forEach(function (item) { body.appendChild(item.row); });
  }

  document.querySelectorAll("table.sortable").forEach(function (table) {
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (heading, index) {
      var button = document.createElement("button");
      button.type = "button";
      while (heading.firstChild) button.appendChild(heading.firstChild);
      heading.appendChild(button);
      if (/^(P\(|Y |manipulated|selected|natural)/.test(button.textContent)) {
        heading.setAttribute("data-most-first", "");
      }
      button.addEventListener("click", function () { sortBy(table, index); });
    });
  });

  var resets = {};
  document.querySelectorAll(".table-tools").forEach(function (tools) {
    var table = document.getElementById(tools.getAttribute("data-table"));
    var find = tools.querySelector(".find");
    var role = tools.querySelector(".role");
    var which = tools.querySelector(".which");
    var shown = tools.querySelector(".shown");

    function apply() {
      var wanted = find.value.trim().toLowerCase();
      var count = 0;
      Array.prototype.forEach.call(table.tBodies[0].rows, function (row) {
        var fits = (!wanted || row.textContent.toLowerCase().indexOf(wanted) >= 0) &&
          (!role.value || row.getAttribute("data-role") === role.value) &&
          (!which.value || row.getAttribute("data-is").split(" ").indexOf(which.value) >= 0);
        row.hidden = !fits;
        count += fits ? 1 : 0;
      });
      shown.textContent = count + " of " + table.tBodies[0].rows.length + " rows";
    }

    [find, role, which].forEach(function (control) {
      control.addEventListener("input", apply);
    });
    resets[table.id] = function () {
      find.value = role.value = which.value = "";
      apply();
    };
    tools.hidden = false;
    apply();
  });

  // A link to a row shows it even where a filter hides it.
  function reveal() {
    var row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row || row.tagName !== "TR") return;
    if (row.hidden) resets[row.closest("table").id]();
    row.scrollIntoView({ block: "center" });
  }
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Folded parts are printed as well.
  var folded = [];
  window.addEventListener("beforeprint", function () {
    folded = Array.prototype.filter.call(document.querySelectorAll("details"), function (part) { return !part.open; });
    folded.forEach(function (part) { part.open = true; });
  });
  window.addEventListener("afterprint", function () {
    folded.forEach(function (part) { part.open = false; });
  });
})();
