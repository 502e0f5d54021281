"use strict";
/* The board on a canvas. `draw` shows a scene whole; what does not change between scenes is kept on a layer below,
   and so is the trail on boards too large for numbers, where it can be forty thousand moves long. */
const backrankBoard = (canvas, data, geometry) => {
  const { rows, cols, size, hole, cell: cellOf, fileName, line } = geometry;
  const LARGEST = 150;
  const isTour = data.kind === "tour";
  const total = size - hole.size;
  const body = new Path2D(data.piece.shape.body);
  const eye = data.piece.shape.eye && new Path2D(data.piece.shape.eye);
  const base = document.createElement("canvas"), trail = document.createElement("canvas");
  const cached = { stack: [], wide: 0 };
  // What stands on squares, which are light in both colour schemes.
  const colours = { piece: "#26303a", halo: "#ffffff", warning: "#c8321f", good: "#1d7f4e", accent: "#1f5fae" };
  let cell = 0, left = 0, top = 0, width = 0, height = 0, ratio = 1, font = 12;

  const x = (square) => left + (cellOf(square)[1] + 0.5) * cell;
  const y = (square) => top + (cellOf(square)[0] + 0.5) * cell;
  const numbered = () => cell >= 20;

  function fresh(target) {
    target.width = Math.round(width * ratio);
    target.height = Math.round(height * ratio);
    const pen = target.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    return pen;
  }

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["frame", "letters", "light", "dark"]) colours[name] = style.getPropertyValue(`--${name}`).trim();
  }

  /* Take as much of the space as the board can use. */
  function fit(room, high) {
    ratio = window.devicePixelRatio || 1;
    readColours();
    const measure = () => {
      font = Math.max(10, Math.min(18, cell * 0.3));
      left = Math.ceil(font * (0.62 * String(rows).length + 1));
      top = Math.ceil(font * 0.7);
      width = left + cols * cell + top;
      height = top + rows * cell + Math.ceil(font * 1.8);
    };
    cell = LARGEST;
    measure();
    for (let i = 0; i < 3 && (width > room || height > high || i === 0); i++) {
      cell = Math.min(LARGEST, (room - left - top) / cols, (high - (height - rows * cell)) / rows);
      cell = cell >= 8 ? Math.floor(cell) : Math.max(cell, 0.05);
      measure();
    }
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
    fresh(canvas);
    drawBase(fresh(base));
    fresh(trail);
    cached.stack = [];
  }

  function drawBase(pen) {
    pen.fillStyle = colours.frame;
    pen.fillRect(0, 0, width, height);
    pen.fillStyle = colours.light;
    pen.fillRect(left, top, cols * cell, rows * cell);
    pen.strokeStyle = colours.dark;
    pen.lineWidth = cell;
    pen.setLineDash([cell, cell]);
    for (let row = 0; row < rows; row++) {
      pen.beginPath();
      pen.moveTo(left + cell * (1 - (row % 2)), top + (row + 0.5) * cell);
      pen.lineTo(left + cols * cell, top + (row + 0.5) * cell);
      pen.stroke();
    }
    pen.setLineDash([]);
    pen.fillStyle = colours.frame;
    for (const square of hole) pen.fillRect(x(square) - cell / 2, y(square) - cell / 2, cell, cell);
    drawLetters(pen);
  }

  function roundStep(least) {
    for (let power = 1; ; power *= 10) for (const step of [1, 2, 5]) if (step * power >= least) return step * power;
  }

  function drawLetters(pen) {
    pen.fillStyle = colours.letters;
    pen.font = `${font}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const files = roundStep((fileName(cols - 1).length * 0.62 + 0.4) * font / cell), ranks = roundStep(font * 1.25 / cell);
    const low = top + rows * cell + font * 0.95;
    for (let col = 0; col < cols; col += files) pen.fillText(fileName(col), left + (col + 0.5) * cell, low);
    for (let rank = 1; rank <= rows; rank++) {
      if (rank % ranks === (ranks === 2 ? 1 : 0) || rank === 1) pen.fillText(rank, left / 2, top + (rows - rank + 0.5) * cell);
    }
  }

  const colourOf = (step) => data.trail[Math.min(data.trail.length - 1, Math.floor(step / total * data.trail.length))];

  /* Draw the moves from step `first` on. Moves over a glued edge are dotted. */
  function drawMoves(pen, stack, first, wide) {
    pen.save();
    pen.translate(left + cell / 2, top + cell / 2);
    pen.scale(cell, cell);
    pen.lineCap = pen.lineJoin = "round";
    pen.lineWidth = wide;
    let colour = null, dotted = false, open = false;
    const end = () => {
      if (open) pen.stroke();
      open = false;
    };
    for (let step = Math.max(first, 1); step < stack.length; step++) {
      const { segments, overEdge } = line(stack[step - 1], stack[step]);
      const next = colourOf(step);
      if (next !== colour || overEdge !== dotted || !open) {
        end();
        pen.strokeStyle = colour = next;
        dotted = overEdge;
        pen.setLineDash(dotted ? [0, wide * 2] : []);
        pen.beginPath();
        open = true;
      }
      for (const [x1, y1, x2, y2] of segments) {
        pen.moveTo(x1, y1);
        pen.lineTo(x2, y2);
      }
    }
    end();
    pen.restore();
  }

  function drawTrail(pen, stack) {
    if (numbered()) return drawMoves(pen, stack, 1, 0.085);
    const known = cached.stack;
    let grows = known.length <= stack.length;
    for (let i = 0; grows && i < known.length; i++) grows = known[i] === stack[i];
    const layer = grows ? trail.getContext("2d") : fresh(trail);
    drawMoves(layer, stack, grows ? known.length : 1, Math.min(0.32, Math.max(0.15, 0.9 / cell)));
    cached.stack = stack.slice();
    pen.drawImage(trail, 0, 0, width, height);
  }

  function dashed(pen, from, to, colour) {
    pen.save();
    pen.translate(left + cell / 2, top + cell / 2);
    pen.scale(cell, cell);
    pen.lineCap = "round";
    pen.lineWidth = Math.max(0.08, 1.5 / cell);
    pen.strokeStyle = colour;
    pen.setLineDash([0.14, 0.18]);
    pen.beginPath();
    for (const [x1, y1, x2, y2] of line(from, to).segments) {
      pen.moveTo(x1, y1);
      pen.lineTo(x2, y2);
    }
    pen.stroke();
    pen.restore();
  }

  function disc(pen, square, radius, fill) {
    pen.beginPath();
    pen.arc(x(square), y(square), radius, 0, 2 * Math.PI);
    pen.fillStyle = fill;
    pen.fill();
  }

  function ring(pen, square, radius, colour, dash = []) {
    pen.beginPath();
    pen.arc(x(square), y(square), radius, 0, 2 * Math.PI);
    pen.strokeStyle = colour;
    pen.lineWidth = Math.max(1.2, cell * 0.05);
    pen.setLineDash(dash);
    pen.stroke();
    pen.setLineDash([]);
  }

  function write(pen, square, text, colour, share, weight = "600") {
    const letters = Math.max(String(text).length, 2);
    pen.font = `${weight} ${cell * share * Math.min(1, 2.3 / letters)}px system-ui, sans-serif`;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    pen.fillStyle = colour;
    pen.fillText(text, x(square), y(square) + cell * 0.02);
  }

  function drawBeads(pen, stack, withNumbers) {
    stack.slice(0, -1).forEach((square, step) => {
      disc(pen, square, cell * (withNumbers ? 0.31 : 0.13), colours.halo);
      disc(pen, square, cell * (withNumbers ? 0.29 : 0.11), colourOf(step));
      if (withNumbers) write(pen, square, step + 1, "#ffffff", 0.34);
    });
  }

  function drawPiece(pen, atX, atY, colour, least = 8) {
    const side = Math.max(cell * 0.92, least);
    pen.save();
    pen.translate(atX - side / 2, atY - side / 2);
    pen.scale(side / 100, side / 100);
    pen.lineJoin = "round";
    pen.lineWidth = 9;
    pen.strokeStyle = colours.halo;
    pen.stroke(body);
    pen.fillStyle = colour;
    pen.fill(body);
    pen.fillStyle = colours.halo;
    if (eye) pen.fill(eye);
    pen.restore();
  }

  function tint(pen, square, colour, alpha) {
    pen.globalAlpha = alpha;
    pen.fillStyle = colour;
    pen.fillRect(x(square) - cell / 2, y(square) - cell / 2, cell, cell);
    pen.globalAlpha = 1;
  }

  function cross(pen, square) {
    const arm = cell * 0.2;
    for (const [colour, wide] of [[colours.halo, 0.16], [colours.warning, 0.09]]) {
      pen.beginPath();
      for (const [dx, dy] of [[arm, arm], [arm, -arm]]) {
        pen.moveTo(x(square) - dx, y(square) - dy);
        pen.lineTo(x(square) + dx, y(square) + dy);
      }
      pen.lineCap = "round";
      pen.strokeStyle = colour;
      pen.lineWidth = cell * wide;
      pen.stroke();
    }
  }

  function drawHints(pen, scene) {
    for (const [square, text] of scene.hints) {
      if (isTour) {
        disc(pen, square, cell * 0.27, colours.halo);
        ring(pen, square, cell * 0.27, colours.accent, [cell * 0.08, cell * 0.06]);
        if (numbered()) write(pen, square, text, colours.accent, 0.34);
      } else {
        disc(pen, square, cell * 0.1, "rgba(200, 50, 31, 0.45)");
      }
    }
  }

  function drawReject(pen, scene) {
    const { stack, event } = scene;
    tint(pen, event.square, colours.warning, 0.22 + 0.5 * scene.flash);
    if (event.cause >= 0 && event.cause !== event.square) {
      tint(pen, event.cause, colours.warning, 0.22);
      if (!isTour) dashed(pen, event.cause, event.square, colours.warning);
    }
    if (isTour && stack.length) dashed(pen, stack[stack.length - 1], event.square, colours.warning);
  }

  /* A scene: stack, event (kind, square, cause) or null, hints, numbers, closing, flash from 1 to 0, and at which
     share of its way from where the piece is. */
  function draw(scene) {
    const pen = canvas.getContext("2d");
    const { stack, event } = scene;
    const kind = event ? event.kind : "";
    pen.drawImage(base, 0, 0, width, height);
    if (kind === "reject") drawReject(pen, scene);
    if (!isTour) {
      drawHints(pen, scene);
      for (const square of stack) drawPiece(pen, x(square), y(square), kind === "solution" ? colours.good : colours.piece);
    } else {
      drawTrail(pen, stack);
      if (scene.closing && stack.length > 2) dashed(pen, stack[stack.length - 1], stack[0], data.trail[0]);
      if (numbered()) drawBeads(pen, stack, scene.numbers);
      drawHints(pen, scene);
      drawWalker(pen, scene);
    }
    if (kind === "leave") ring(pen, event.square, cell * 0.34, colours.warning, [cell * 0.1, cell * 0.1]);
    if (kind === "reject") cross(pen, event.square);
  }

  function drawWalker(pen, { stack, event, from, share }) {
    if (!stack.length) return;
    const here = stack[stack.length - 1];
    if (stack.length > 1) {
      if (cell < 14) disc(pen, stack[0], 6, colours.halo);
      ring(pen, stack[0], Math.max(cell * 0.42, 5), colourOf(0));
    }
    const mix = (a, b) => a + (b - a) * share;
    const glides = from >= 0 && share < 1;
    const atX = glides ? mix(x(from), x(here)) : x(here), atY = glides ? mix(y(from), y(here)) : y(here);
    // On a large board the piece is larger than its square, or nobody would find it.
    drawPiece(pen, atX, atY, event && event.kind === "solution" ? colours.good : colours.piece, 24);
  }

  return { fit, draw, isNumbered: numbered };
};
