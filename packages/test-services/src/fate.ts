/** What becomes of a suite that needs something of the machine. */
export type Fate = 'run' | 'skip' | 'fail'

export function fateOf({ found, required }: { readonly found: boolean; readonly required: boolean }): Fate {
  if (found) return 'run'
  return required ? 'fail' : 'skip'
}

/** Whether `REQUIRE_SERVICES=1` says that the services run here, so that a skip would hide something. */
export function servicesAreRequired(): boolean {
  return process.env['REQUIRE_SERVICES'] === '1'
}
