/** Stands in for a model: what is mostly red is explicit to it, and what is black makes it fail. */
export async function load() {
  return async (pixels) => {
    const mean = (channel) => {
      let sum = 0;
      for (let at = channel; at < pixels.length; at += 3) sum += pixels[at];
      return sum / (pixels.length / 3);
    };
    if (mean(0) + mean(1) + mean(2) < 3) process.exit(1);
    const isRed = mean(0) > 200 && mean(1) < 60 && mean(2) < 60;
    return { Porn: isRed ? 0.6 : 0.1, Hentai: isRed ? 0.2 : 0.1, Neutral: isRed ? 0.2 : 0.8 };
  };
}
