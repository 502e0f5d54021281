/**
 * The player: which moment is shown, and everything that moves it.
 * @module
 */
import { createClock, glideAt, speedAt } from "./board/clock.js";
import { momentScene } from "./board/moment.js";
import { isNumbered, measures } from "./board/scene.js";
import { makeBoard } from "./board/squares.js";
import { createView } from "./board/view.js";
import { createSurroundings } from "./page.js";
import { positionAfter, positionBefore, readRun, seekState, startState } from "./run.js";

/** The widest that a square is drawn, in pixels. */
const WIDEST = 150;
/** At the end of the slider, in events a second: five thousand a frame. */
const FASTEST = 300000;

function playPage() {
  const data = JSON.parse(document.getElementById("data").textContent);
  const run = readRun(data.run);
  const { rows, cols, holes, wrap } = data.board, { steps, slides, shape } = data.piece;
  const board = makeBoard(rows, cols, holes, { wrap, steps, slides });
  const page = createSurroundings(data, run, board);
  const { find, say } = page;
  const view = createView(find("board"));
  const walks = data.mode === "walk";
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const speed = () => speedAt(Number(find("speed").value), FASTEST);
  const clock = createClock(speed, advance);

  let state = startState();
  let playing = false, saidAt = 0, sayLater = 0;
  let capacity = 8, glide = 0;

  document.documentElement.classList.toggle("walk", walks);

  function shownSpeed() {
    const value = speed();
    const digits = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
    return value < 10 ? String(Math.round(value * 10) / 10) : page.grouped(Math.round(value / digits) * digits);
  }

  /** Go to a position, from anywhere. The piece glides over a single step. */
  function go(n) {
    n = Math.max(0, Math.min(run.count, Math.round(n)));
    const step = n - state.n;
    state = seekState(run, state, n);
    glide = Math.abs(step) === 1 ? glideAt(playing ? speed() : 1) : 0;
    if (n === run.count && playing) pause();
    page.show(state, capacity);
    find("position").value = n;
    find("position").setAttribute("aria-valuetext", find("where").textContent);
    setEnabled();
    render();
    speakSoon();
  }

  function setEnabled() {
    const atStart = state.n === 0, atEnd = state.n === run.count;
    const allowed = {
      start: !atStart,
      back: !atStart,
      forward: !atEnd,
      end: !atEnd,
      "previous-backtrack": positionBefore(run.backtracks, state.n) >= 0,
      "next-backtrack": positionAfter(run.backtracks, state.n) >= 0,
      "previous-solution": positionBefore(run.solutions, state.n) >= 0,
      "next-solution": positionAfter(run.solutions, state.n) >= 0,
    };
    // Not disabled: a button that loses the focus while it is pressed would strand people who use the keyboard.
    for (const [id, on] of Object.entries(allowed)) find(id).setAttribute("aria-disabled", String(!on));
  }

  /** Draw the present moment. */
  function render() {
    const i = state.n - 1;
    const last = i < 0 ? null : { kind: page.kindAt(state.n), square: run.squares[i], at: causeOf(run.reasons[i]) };
    const scene = momentScene({ board, kind: data.kind, closed: data.closed }, { path: state.stack, last }, { hints: find("hints").checked, glide });
    view.show({ ...scene, piece: shape, numbers: find("numbers").checked });
    page.drawProfile(state.n);
  }

  /** The square that a reason names, null if it names none. */
  function causeOf(reason) {
    const square = data.run.causes[reason];
    return square < 0 ? null : square;
  }

  /** Tell people who hear the page where it is: at rest soon, while it plays every few seconds. */
  function speakSoon() {
    clearTimeout(sayLater);
    const speak = () => {
      saidAt = performance.now();
      const text = `${find("where").textContent}. ${page.inWords(state.n, state)} ${say("said_depth", { depth: state.stack.length })}`;
      find("said").textContent = text;
      page.label(find("board"), `${say("board")}. ${text}`);
      find("board").removeAttribute("title");
    };
    if (playing && performance.now() - saidAt > 4000) speak();
    else sayLater = setTimeout(speak, playing ? 4000 : 350);
  }

  /** Go on by the events that are due. @param {number} steps @returns {number} */
  function advance(steps) {
    let target = Math.min(run.count, state.n + steps);
    const solution = positionAfter(run.solutions, state.n);
    if (find("stop").checked && solution >= 0 && solution <= target) {
      target = solution;
      pause();
    }
    go(target);
    return steps;
  }

  function play() {
    if (playing || !run.count) return;
    if (state.n === run.count) go(0);
    playing = true;
    setPlaying();
    clock.start();
  }

  function pause() {
    playing = false;
    clock.stop();
    setPlaying();
    speakSoon();
  }

  function setPlaying() {
    document.documentElement.classList.toggle("playing", playing);
    page.label(find("play"), say(playing ? "pause" : "play"));
  }

  function to(n) {
    if (n < 0) return;
    pause();
    go(n);
  }

  function setSpeed(value) {
    find("speed").value = value;
    find("speed-text").textContent = say("per_second", { speed: shownSpeed() });
    find("speed").setAttribute("aria-valuetext", say("per_second_label", { speed: shownSpeed() }));
  }

  const actions = {
    start: () => to(0),
    back: () => to(state.n - 1),
    play: () => (playing ? pause() : play()),
    forward: () => to(state.n + 1),
    end: () => to(run.count),
    slower: () => setSpeed(Number(find("speed").value) - 5),
    faster: () => setSpeed(Number(find("speed").value) + 5),
    "previous-backtrack": () => to(positionBefore(run.backtracks, state.n)),
    "next-backtrack": () => to(positionAfter(run.backtracks, state.n)),
    "previous-solution": () => to(positionBefore(run.solutions, state.n)),
    "next-solution": () => to(positionAfter(run.solutions, state.n)),
    language: () => {
      page.toggleLanguage();
      setSpeed(find("speed").value);
      setPlaying();
      go(state.n);
    },
  };

  const keys = {
    " ": "play", ArrowLeft: "back", ArrowRight: "forward", Home: "start", End: "end",
    "+": "faster", "=": "faster", "-": "slower", "−": "slower", "_": "slower",
  };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    let action = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
    if (!walks && /^[bs]$/i.test(event.key)) {
      action = `${event.shiftKey ? "previous" : "next"}-${event.key.toLowerCase() === "b" ? "backtrack" : "solution"}`;
    }
    // What has the focus comes first: space presses a button, arrows move a slider.
    const focused = document.activeElement;
    if (event.key === " " && focused && focused.matches("button, [type=checkbox]")) return;
    if (focused && focused.id === "speed" && /^(Arrow|Home|End)/.test(event.key)) return;
    if (!action) return;
    event.preventDefault();
    actions[action]();
  }

  /** Give the board as much of the space as it can use. @returns {number} how many pixels wide a square is */
  function fitBoard(room, high) {
    const { width, height } = measures(board), pixels = Math.min(WIDEST, (100 * room) / width, (100 * high) / height);
    Object.assign(find("board").style, { width: `${(pixels * width) / 100}px`, height: `${(pixels * height) / 100}px` });
    return pixels;
  }

  function fit() {
    const room = find("frame").clientWidth;
    const others = find("position").closest(".timeline").offsetHeight + find("play").offsetHeight + 16;
    const above = document.querySelector("main").offsetTop;
    const narrow = window.innerWidth <= 760;
    const foot = find("help").offsetHeight + 30;
    const high = narrow ? window.innerHeight * 0.6 : window.innerHeight - above - others - foot;
    const width = fitBoard(room, Math.max(high, 240));
    find("numbers-choice").hidden = data.kind !== "tour" || !isNumbered(board, width);
    // As many lines of the stack as there is room for.
    const line = parseFloat(getComputedStyle(find("stack")).lineHeight) * 1.06;
    const margins = 4 * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const top = find("stack").getBoundingClientRect().top + window.scrollY;
    const below = window.innerHeight - top - find("help").offsetHeight - margins;
    capacity = narrow ? 8 : Math.max(4, Math.floor(below / line) - 1);
    page.show(state, capacity);
    render();
  }

  for (const [id, act] of Object.entries(actions)) {
    find(id).addEventListener("click", (event) => {
      if (find(id).getAttribute("aria-disabled") !== "true") act();
      // After a click with the mouse, space plays again rather than pressing the button once more.
      if (event.detail > 0) find(id).blur();
    });
  }
  find("position").addEventListener("input", () => to(Number(find("position").value)));
  find("speed").addEventListener("input", () => setSpeed(find("speed").value));
  for (const id of ["numbers", "hints"]) find(id).addEventListener("change", render);
  const scrub = (event) => {
    if (event.buttons & 1) to(event.offsetX / find("profile").clientWidth * run.count);
  };
  find("profile").addEventListener("pointerdown", scrub);
  find("profile").addEventListener("pointermove", scrub);
  document.addEventListener("keydown", onKey);
  document.addEventListener("visibilitychange", () => document.hidden && pause());
  window.addEventListener("resize", fit);
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    view.refresh();
    fit();
  });

  find("position").max = run.count;
  find("hints-choice").hidden = !steps.length || rows * cols > 2500;
  page.setTexts();
  setSpeed(100 * Math.log(Math.min(Math.max(run.count / 60, 3), 40)) / Math.log(FASTEST));
  setPlaying();
  go(0);
  fit();
  // Whoever asks for less motion sees a finished tour whole, and a search before its first step.
  if (!still.matches) play();
  else if (walks) go(run.count);

  // For tests and for the curious: where the player is, and a way to go elsewhere.
  window.backrank = { go: to, play, pause, get state() { return { ...state, playing }; }, count: run.count };
}

playPage();
