// What a page can do beyond links and forms: keys, the slider, and news of what was written.
import { keys } from "./keys.js";
import { slider } from "./slider.js";
import { live } from "./live.js";

document.documentElement.classList.add("scripted");
keys();
slider();
live();
