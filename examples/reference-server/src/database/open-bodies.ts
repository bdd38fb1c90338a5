import type { Dependency } from '@sallyport/rest/health'
import type { BodiesOptions } from '@sallyport/sql/sqlite'
import { createS3BodyStore } from '@sallyport/sql/s3'
import type { Settings } from '../config/settings.ts'

/** The settings of the store of large bodies. */
export type BodySettings = Partial<Pick<Settings, 'BODY_STORE_URL' | 'BODY_STORE_ABOVE'>>

/** The store of large bodies. Without it, the server stays ready: small deliveries are recorded. */
export interface OpenBodies {
  readonly bodies: BodiesOptions
  readonly dependency: Dependency
  readonly notices: () => readonly string[]
  readonly close: () => void
}

export function openBodies({
  BODY_STORE_URL: url,
  BODY_STORE_ABOVE: above,
}: BodySettings): OpenBodies | undefined {
  if (url === undefined) return undefined
  const store = createS3BodyStore({ url })
  const getDetail = () => {
    const failure = store.getFailure()
    return (
      failure &&
      `The store of large bodies does not answer (${failure}): large deliveries are answered with 503`
    )
  }
  return {
    bodies: { store, ...(above !== undefined && { above }) },
    dependency: {
      ...{ name: 'bodies', isOptional: true },
      ...{ ping: store.ping, getFailure: store.getFailure, getDetail },
    },
    notices: () => [getDetail() ?? []].flat(),
    close: store.close,
  }
}
