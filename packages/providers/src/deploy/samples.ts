/**
 * Deliveries of a deployment platform, in the shapes that Vercel documents.
 *
 * @module
 */
import { recordedSamples, type Freshness } from '../provider-samples.ts'
import canceled from './fixtures/deploy.canceled.json' with { type: 'json' }
import created from './fixtures/deploy.created.json' with { type: 'json' }
import createdPreview from './fixtures/deploy.created.preview.json' with { type: 'json' }
import error from './fixtures/deploy.error.json' with { type: 'json' }
import succeeded from './fixtures/deploy.succeeded.json' with { type: 'json' }

interface Fixture {
  readonly headers: Readonly<Record<string, string>>
  readonly body: object
}

const recorded = (kind: string, fixture: Fixture) => ({
  kind,
  ...fixture,
  renew: ({ uuid, now }: Freshness) => ({
    body: { ...fixture.body, id: `uev_${uuid.replaceAll('-', '')}`, createdAt: now },
  }),
})

export const { kinds, sample, samples } = recordedSamples([
  recorded('deploy.created', created),
  recorded('deploy.succeeded', succeeded),
  recorded('deploy.error', error),
  recorded('deploy.canceled', canceled),
  recorded('deploy.created', createdPreview),
])
