/** Calls somebody else, whose mistake ends neither what was told of nor the telling: it is not ours to report. */
export function quietly<T>(call: (value: T) => void, value: T): void {
  try {
    call(value)
  } catch {
    // A poll finds what was missed.
  }
}
