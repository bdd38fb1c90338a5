import type { AnyProvider } from '@sallyport/webhooks'

/** Reports unknown and unregistered providers in QUEUE_PILOTS. */
export function pilotProblems(
  pilots: readonly string[],
  available: readonly AnyProvider[],
  registered: readonly AnyProvider[],
): readonly string[] {
  const isAmong = (providers: readonly AnyProvider[], pilot: string) =>
    providers.some(({ name }) => name === pilot)
  return [...new Set(pilots)].flatMap((pilot) => {
    if (isAmong(registered, pilot)) return []
    return isAmong(available, pilot)
      ? [`QUEUE_PILOTS names "${pilot}", which is not registered: name it in PROVIDERS, with a secret`]
      : [`QUEUE_PILOTS names "${pilot}", which is not among ${available.map(({ name }) => name).join(', ')}`]
  })
}
