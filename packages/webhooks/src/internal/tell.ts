import { letGo } from './maybe-promise.ts'

/** Calls a hook of the application; what it throws, or rejects with, stays its own affair. */
export function tell<Arguments extends readonly unknown[]>(
  hook: ((...given: Arguments) => unknown) | undefined,
  ...given: Arguments
): void {
  try {
    letGo(hook?.(...given))
  } catch {
    // Whatever a hook makes of it, what it was told of has happened.
  }
}
