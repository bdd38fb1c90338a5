import { sign } from '@octokit/webhooks-methods'
import { testProvider } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { runner } from '../../test/runner.ts'
import { secret, send } from '../../test/send.ts'
import { github } from './index.ts'
import { sample, samples } from './samples.ts'

testProvider(runner, { provider: github, samples: samples() })

it("accepts a signature of GitHub's library", async () => {
  const { headers, body } = sample('package.published')
  const text = JSON.stringify(body)
  const signed = { 'X-Hub-Signature-256': await sign(secret, text) }
  const { events } = await send(github, text, { headers, signed })
  expect(events).toMatchObject([{ name: 'github/package.published' }])
})

it('queues only completed workflow runs', () => {
  expect(github.queueable).toEqual(['workflow_run.completed'])
})
