"use strict";
// A drawing of the page as a PDF of one page, without a network: paths stay paths, and Latin text stays text, in
// Helvetica stretched to the width that it has here; text in other letters becomes a picture.
function himationPdf(svg) {
  // how wide Helvetica's letters are, from the space on, in thousandths of the size
  var WIDTHS = "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 " +
    "278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 " +
    "667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 " +
    "333 500 278 556 500 722 500 500 500 334 260 334 584";
  var widths = WIDTHS.split(" ").map(Number);
  var box = svg.viewBox.baseVal;
  var out = [];
  var states = {};

  function say() { out.push(Array.prototype.join.call(arguments, " ")); }
  function num(x) { return String(Math.round(x * 1000) / 1000); }

  function colour(value) {
    var parts = /^rgba?\(([^)]*)\)$/.exec(value);
    if (!parts) return null;
    var numbers = parts[1].split(/[\s,/]+/).map(Number);
    return { rgb: numbers.slice(0, 3).map(function (x) { return num(x / 255); }).join(" "), alpha: numbers.length > 3 ? numbers[3] : 1 };
  }

  function opacity(fill, stroke) {
    var name = "G" + Math.round(fill * 100) + "x" + Math.round(stroke * 100);
    states[name] = "/" + name + " << /ca " + num(fill) + " /CA " + num(stroke) + " >>";
    say("/" + name, "gs");
  }

  function place(element) {
    var m = svg.getScreenCTM().inverse().multiply(element.getScreenCTM());
    say([m.a, m.b, m.c, m.d, m.e, m.f].map(num).join(" "), "cm");
  }

  function outline(shape) {
    if (shape.tagName === "rect") {
      say(["x", "y", "width", "height"].map(function (key) { return num(shape[key].baseVal.value); }).join(" "), "re");
      return;
    }
    var x = 0, y = 0;
    (shape.getAttribute("d").match(/[MLCQZz][^MLCQZz]*/g) || []).forEach(function (part) {
      var n = (part.slice(1).match(/-?[\d.]+(?:e[-+]?\d+)?/g) || []).map(Number);
      var kind = part[0].toUpperCase();
      if (kind === "Z") { say("h"); return; }
      if (kind === "Q") { // a cubic curve of the same shape
        n = [x + (n[0] - x) * 2 / 3, y + (n[1] - y) * 2 / 3, n[2] + (n[0] - n[2]) * 2 / 3, n[3] + (n[1] - n[3]) * 2 / 3, n[2], n[3]];
        kind = "C";
      }
      var step = kind === "C" ? 6 : 2;
      for (var i = 0; i + step <= n.length; i += step) {
        say(n.slice(i, i + step).map(num).join(" "), kind === "C" ? "c" : kind === "M" && i === 0 ? "m" : "l");
      }
      x = n[n.length - 2];
      y = n[n.length - 1];
    });
  }

  function clip(element) {
    for (var at = element; at !== svg; at = at.parentElement) {
      var url = /url\("?#([^")]+)"?\)/.exec(getComputedStyle(at).clipPath);
      var region = url && document.getElementById(url[1]);
      if (region && region.firstElementChild) {
        outline(region.firstElementChild);
        say("W n");
      }
    }
  }

  function paint(shape, holder) {
    var own = getComputedStyle(shape), inherited = getComputedStyle(holder);
    function style(key) { return shape === holder || shape.style.getPropertyValue(key) ? own.getPropertyValue(key) : inherited.getPropertyValue(key); }
    var fill = colour(style("fill")), stroke = colour(style("stroke"));
    var whole = Number(style("opacity"));
    var width = parseFloat(style("stroke-width"));
    if (!width) stroke = null;
    if (!fill && !stroke) return;
    opacity(fill ? fill.alpha * whole * Number(style("fill-opacity")) : 1, stroke ? stroke.alpha * whole * Number(style("stroke-opacity")) : 1);
    if (fill) say(fill.rgb, "rg");
    if (stroke) {
      var dashes = (style("stroke-dasharray").match(/[\d.]+/g) || []).join(" ");
      say(stroke.rgb, "RG", num(width), "w", "[" + dashes + "] 0 d");
      say({ butt: 0, round: 1, square: 2 }[style("stroke-linecap")] || 0, "J", { miter: 0, round: 1, bevel: 2 }[style("stroke-linejoin")] || 0, "j");
    }
    outline(shape);
    say(fill && stroke ? "B" : fill ? "f" : "S");
  }

  function write(element) {
    var text = element.textContent, style = getComputedStyle(element);
    if (!text.trim() || !element.getNumberOfChars()) return;
    var start = element.getStartPositionOfChar(0), length = element.getComputedTextLength();
    var size = parseFloat(style.fontSize), ink = colour(style.fill) || { rgb: "0 0 0", alpha: 1 };
    opacity(ink.alpha * Number(style.opacity), 1);
    say(ink.rgb, "rg", ink.rgb, "RG");
    say("1 0 0 -1", num(start.x), num(start.y), "cm"); // text stands upright though the page's y goes down
    if (/^[ -~]*$/.test(text)) {
      var natural = text.split("").reduce(function (sum, c) { return sum + widths[c.charCodeAt(0) - 32]; }, 0) * size / 1000;
      var bold = Number(style.fontWeight) >= 600;
      say("BT /F1", num(size), "Tf", num(100 * length / natural), "Tz", bold ? "2 Tr " + num(size / 30) + " w" : "0 Tr");
      say("(" + text.replace(/[\\()]/g, "\\$&") + ") Tj ET");
      return;
    }
    var sharp = 8, canvas = document.createElement("canvas");
    canvas.width = Math.ceil((length + 2) * sharp);
    canvas.height = Math.ceil(size * 1.6 * sharp);
    var pen = canvas.getContext("2d");
    pen.scale(sharp, sharp);
    pen.font = style.fontWeight + " " + style.fontSize + " " + style.fontFamily;
    pen.fillText(text, 0, size * 1.2);
    var pixels = pen.getImageData(0, 0, canvas.width, canvas.height).data, hex = "";
    for (var row = 0; row < canvas.height; row++) {
      for (var column = 0; column < canvas.width; column += 8) {
        var byte = 0;
        for (var bit = 0; bit < 8; bit++) {
          var inked = column + bit < canvas.width && pixels[4 * (row * canvas.width + column + bit) + 3] > 127;
          byte = byte * 2 + (inked ? 0 : 1);
        }
        hex += (byte < 16 ? "0" : "") + byte.toString(16);
      }
    }
    say(num(canvas.width / sharp), "0 0", num(canvas.height / sharp), "0", num(-size * 0.4), "cm");
    say("BI /W", canvas.width, "/H", canvas.height, "/IM true /BPC 1 /F /AHx ID\n" + hex + ">\nEI");
  }

  say("1 0 0 -1 0", num(box.height), "cm");
  var surface = colour(getComputedStyle(svg.closest("section") || document.body).backgroundColor);
  if (surface && surface.alpha) say(surface.rgb, "rg 0 0", num(box.width), num(box.height), "re f");
  svg.querySelectorAll("path, rect, text, use").forEach(function (element) {
    if (element.closest("defs, clipPath")) return;
    say("q");
    place(element);
    clip(element);
    if (element.tagName === "text") write(element);
    else if (element.tagName === "use") {
      var shape = document.getElementById(element.getAttribute("href").slice(1));
      say("1 0 0 1", num(element.x.baseVal.value), num(element.y.baseVal.value), "cm");
      if (shape) paint(shape, element);
    } else paint(element, element);
    say("Q");
  });

  var content = out.join("\n");
  var objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 " + num(box.width) + " " + num(box.height) + "] /Contents 4 0 R /Resources << " +
      "/Font << /F1 5 0 R >> /ExtGState << " + Object.keys(states).map(function (key) { return states[key]; }).join(" ") + " >> >> >>",
    "<< /Length " + content.length + " >>\nstream\n" + content + "\nendstream",
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
  ];
  var file = "%PDF-1.4\n", starts = objects.map(function (text, i) {
    var at = file.length;
    file += (i + 1) + " 0 obj\n" + text + "\nendobj\n";
    return at;
  });
  var index = file.length;
  file += "xref\n0 " + (objects.length + 1) + "\n0000000000 65535 f \n";
  starts.forEach(function (at) { file += ("0000000000" + at).slice(-10) + " 00000 n \n"; });
  return file + "trailer\n<< /Size " + (objects.length + 1) + " /Root 1 0 R >>\nstartxref\n" + index + "\n%%EOF\n";
}
