/** A lane with further events is released after a second and its last event. */
const waitMs = 2000
const pollMs = 250

/** Repeats a change while an attempt that runs prevents it, for up to two seconds. */
export async function whileBusy<Result>(
  change: () => Promise<Result>,
  isBusy: (result: Result) => boolean,
): Promise<Result> {
  for (let waited = 0; ; waited += pollMs) {
    const result = await change()
    if (!isBusy(result) || waited >= waitMs) return result
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}
