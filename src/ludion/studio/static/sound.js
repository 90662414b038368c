// Short tones for moves and ends: off unless the reader switches them on, and never the only sign.

import { remember } from "./dom.js";

const TONES = { move: [[440, 0.05]], no: [[180, 0.09]], end: [[523, 0.09], [659, 0.09], [784, 0.16]], lost: [[330, 0.12], [220, 0.2]] }; // [hertz, seconds]
let context = null;

export const soundIsOn = () => remember("sound") === true;

export function playSound(name) {
  if (!soundIsOn() || !TONES[name]) return;
  context ??= new AudioContext();
  let at = context.currentTime;
  for (const [hertz, seconds] of TONES[name]) {
    const tone = new OscillatorNode(context, { frequency: hertz, type: "triangle" });
    const volume = new GainNode(context, { gain: 0.12 });
    volume.gain.setTargetAtTime(0, at + seconds * 0.6, seconds / 4);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + seconds * 2);
    at += seconds;
  }
}
