/** Somebody else's mistake ends neither what tells them, nor the process. */
export function tell(hook: () => unknown): void {
  // It is not ours to report.
  new Promise((resolve) => {
    resolve(hook())
  }).catch(() => undefined)
}
