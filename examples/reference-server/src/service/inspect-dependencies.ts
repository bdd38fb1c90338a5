import type { Dependency } from '@sallyport/rest/health'
import { findFailure } from '@sallyport/internal/find-failure'
import type { ProcessDependency } from '@sallyport/webhooks/processes'

/** Describes the dependencies for the heartbeat of the process. A bus or a store is asked only to confirm that it is unavailable. */
export const inspectDependencies = (
  dependencies: readonly Dependency[],
): Promise<readonly ProcessDependency[]> =>
  Promise.all(
    dependencies.map(async ({ name, ping, getFailure, getDetail, isOptional = false }) => {
      const identity = { name, kind: name === 'bodies' ? name : isOptional ? 'bus' : 'database' } as const
      const detail = getDetail?.()
      const asks = !isOptional || detail !== undefined
      const code = getFailure?.() ?? (asks ? await findFailure(ping) : undefined)
      if (code === undefined) return { ...identity, status: 'ok' as const }
      return { ...identity, status: 'unavailable' as const, code, ...(detail !== undefined && { detail }) }
    }),
  )
