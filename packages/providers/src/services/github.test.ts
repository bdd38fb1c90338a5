import { emitterEventNames } from '@octokit/webhooks'
import { toKind } from '@sallyport/internal/kind'
import { createSampleEvent, testService } from '@sallyport/webhooks/testing'
import { sign } from '@octokit/webhooks-methods'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { github } from './github.ts'
import samples from './github.samples.json' with { type: 'json' }

testService(runner, {
  provider: github,
  samples,
  sign: async ({ text, secret }) => ({ 'x-hub-signature-256': await sign(secret, text) }),
})

it('has a kind for every event name that octokit publishes', () => {
  expect(emitterEventNames.length).toBeGreaterThan(300)
  for (const name of emitterEventNames) expect(toKind(name)).toBe(name)
})

// GitHub sends forms unless the webhook has the content type JSON.
it('accepts a form with the payload, with the same subject and data as JSON', async () => {
  const { kind, headers, body } = samples.find((sample) => sample.kind === 'push')!
  const form = new URLSearchParams({ payload: JSON.stringify(body) }).toString()
  const formHeaders = { ...headers, 'content-type': 'application/x-www-form-urlencoded' }
  const { subject, data } = await createSampleEvent(github, 'push', samples)
  const sent = await createSampleEvent(github, 'push', [{ kind, headers: formHeaders, body: form }])
  expect([sent.subject, sent.data]).toEqual([subject, data])
})
