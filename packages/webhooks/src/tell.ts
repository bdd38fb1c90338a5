/** Calls a hook of the application; what it throws, or rejects with, stays its own affair. */
export function tell<Arguments extends readonly unknown[]>(
  hook: ((...given: Arguments) => unknown) | undefined,
  ...given: Arguments
): void {
  try {
    const returned = hook?.(...given)
    if (returned instanceof Promise) returned.catch(() => undefined)
  } catch {
    // Whatever a hook makes of it, what it was told of has happened.
  }
}
