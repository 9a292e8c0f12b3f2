"use strict";
// Tables sort by a click on a heading, or Enter on it; the evidence tables filter as one types; a click on a variable
// shows what is known of it; buttons save tables and figures. Without scripts the page is complete but for these.
(function () {
  document.documentElement.classList.add("js");

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
      if (/^(P\(|Y |manipulated|selected|natural|here|networks|thesis)/.test(button.textContent)) {
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

  // A click on a variable, in the drawing or in the table, shows its evidence in a panel; Escape closes it.
  var panel = document.getElementById("panel");
  var opener = null;
  var current = null;
  var known = {};

  function rowOf(hash) {
    var row = hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
    return row && row.tagName === "TR" ? row : null;
  }

  function element(tag, text) {
    var made = document.createElement(tag);
    made.textContent = text;
    return made;
  }

  function showEvidence(row) {
    var id = row.closest("section").id;
    var column = row.id.slice(id.length + 1);
    known[id] = known[id] || JSON.parse(document.getElementById(id + "-details").textContent);
    if (current) current.classList.remove("current");
    current = row;
    row.classList.add("current");
    document.getElementById("panel-title").textContent = row.querySelector(".name").textContent;
    var where = document.getElementById("panel-where");
    where.textContent = "Column " + column + " of " + id + ". ";
    var link = element("a", "Show its row");
    link.href = "#" + row.id;
    link.setAttribute("data-scroll", "");
    where.appendChild(link);
    var list = document.getElementById("panel-evidence");
    list.textContent = "";
    (known[id][column] || []).forEach(function (pair) {
      var part = document.createElement("div");
      part.appendChild(element("dt", pair[0]));
      part.appendChild(element("dd", pair[1]));
      list.appendChild(part);
    });
    if (!panel.open) panel.show();
    panel.scrollTop = 0;
  }

  function unfold(place) {
    for (var part = place.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
  }

  function scrollTo(row) {
    unfold(row);
    var reset = resets[row.closest("table").id];
    if (row.hidden && reset) reset(); // a link to a row shows it even where a filter hides it
    row.scrollIntoView({ block: "center" });
  }

  function closePanel() {
    if (!panel.open) return;
    panel.close();
    if (current) current.classList.remove("current");
    if (opener && opener.focus) opener.focus({ preventScroll: true });
  }

  document.addEventListener("click", function (event) {
    var link = event.target.closest("a[href^='#']");
    var row = link ? rowOf(link.getAttribute("href")) : null;
    if (!row || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.hasAttribute("data-scroll")) { scrollTo(row); return; }
    opener = link;
    showEvidence(row);
    document.getElementById("panel-close").focus({ preventScroll: true });
  });
  document.getElementById("panel-close").addEventListener("click", closePanel);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") closePanel();
  });

  function reveal() {
    var row = rowOf(location.hash);
    var place = location.hash.length > 1 ? document.getElementById(decodeURIComponent(location.hash.slice(1))) : null;
    if (place && !row) unfold(place);
    if (!row) return;
    scrollTo(row);
    showEvidence(row);
  }
  window.addEventListener("hashchange", reveal);
  if (location.hash) reveal();

  // Every table can be saved as TSV, every figure as SVG and as PDF, from the page itself.
  function save(text, kind, name) {
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: kind }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  }

  function button(text, action) {
    var made = element("button", text);
    made.type = "button";
    made.className = "take";
    made.addEventListener("click", action);
    return made;
  }

  function cellText(cell) {
    var given = cell.classList.contains("mark") ? cell.getAttribute("data-value") : cell.textContent;
    return given.replace(/\s+/g, " ").trim();
  }

  function fileName(place, ending, number) {
    var section = place.closest("section");
    return "himation-" + (section && section.id ? section.id : "page") + "-" + (number + 1) + "." + ending;
  }

  document.querySelectorAll("main table").forEach(function (table, number) {
    var rows = Array.prototype.map.call(table.rows, function (row) { return row; });
    var place = table.closest(".scroll") || table;
    place.insertAdjacentElement("afterend", button("Table as TSV", function () {
      var lines = rows.map(function (row) { return Array.prototype.map.call(row.cells, cellText).join("\t"); });
      save(lines.join("\n") + "\n", "text/tab-separated-values", fileName(table, "tsv", number));
    }));
  });

  document.querySelectorAll("main svg.figure").forEach(function (picture, number) {
    var place = picture.closest(".scroll") || picture;
    var ways = element("span", "");
    ways.appendChild(button("Figure as SVG", function () {
      var copy = picture.cloneNode(true);
      var style = getComputedStyle(document.documentElement);
      copy.setAttribute("xmlns", ["http:", "", "www.w3.org", "2000", "svg"].join("/"));
      copy.style.background = style.getPropertyValue("--surface").trim();
      var text = new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g, function (all, name) {
        return style.getPropertyValue(name).trim().replace(/"/g, "'");
      });
      save(text, "image/svg+xml", fileName(picture, "svg", number));
    }));
    ways.appendChild(button("Figure as PDF", function () {
      save(himationPdf(picture), "application/pdf", fileName(picture, "pdf", number));
    }));
    place.insertAdjacentElement("afterend", ways);
  });

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
