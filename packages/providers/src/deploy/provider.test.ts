import { testProvider } from '@sallyport/webhooks/testing'
import { createHmac } from 'node:crypto'
import { expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, secret, send } from '../../test/send.ts'
import { createDeploy, deploy } from './index.ts'
import { kinds, sample, samples } from './samples.ts'

const created = sample('deploy.created').body

testProvider(runner, {
  provider: deploy,
  samples: samples(),
  ignored: ['deployment.ready', 'deployment.promoted', 'deployment.check-rerequested', 'project.created'].map(
    (type) => ({ headers: {}, body: { ...(created as object), type } }),
  ),
})

it('has typed data in snake_case', async () => {
  const { events } = await send(deploy, created)
  expect(events).toMatchObject([
    {
      id: 'deploy:deploy.created:uev_2mK8xQ4rTz7LbV1nWc5Yd',
      subject: 'dpl_8xWq2mLh4RtZ5vK1nB7cYdPfJ3Ga',
      ts: 1752520920123,
    },
  ])
  expect(events[0]?.data).toMatchInlineSnapshot(`
    {
      "actor": "Alice Example",
      "aliases": [],
      "branch": "main",
      "commit_message": "Show prices with their currency",
      "deployment_id": "dpl_8xWq2mLh4RtZ5vK1nB7cYdPfJ3Ga",
      "inspect_url": "https://vercel.com/example-shop/storefront/8xWq2mLh4RtZ5vK1nB7cYdPfJ3Ga",
      "occurred_at": "2025-07-14T19:22:00.123Z",
      "project": "storefront",
      "project_id": "prj_Rt6YbK2mWq9XzL4vNc8PdF1hSg3J",
      "project_url": "https://vercel.com/example-shop/storefront",
      "sha": "9f2c1e7ab34d5560f8c2417de0b6a5931c7d28e4",
      "target": "production",
      "team_id": "team_Vn4rQ8sKx2TzPb7LmW1cYd5F",
      "url": "https://storefront-7fk2m9x1q-example-shop.vercel.app",
      "user_id": "Hk3TzQv9RmX2bL7pWc5YdN8s",
    }
  `)
})

it('accepts a preview without a commit', async () => {
  const preview = samples().at(-1)?.body
  const { events } = await send(deploy, preview)
  expect(events[0]?.data).toMatchObject({ target: null, branch: null, sha: null, actor: null, team_id: null })
  expect(await createMessage(deploy, preview)).toMatchObject({
    title: 'storefront: preview deployment started',
  })
})

it.each(['github', 'gitlab', 'bitbucket'])('reads the commit of %s', async (host) => {
  const meta = {
    [`${host}CommitRef`]: 'fix/prices',
    [`${host}CommitSha`]: 'abc',
    [`${host}CommitAuthorLogin`]: 'bob',
    [`${host}CommitMessage`]: 5,
  }
  const { events } = await send(deploy, changed(created, ['payload', 'deployment', 'meta'], { to: meta }))
  expect(events[0]?.data).toMatchObject({
    branch: 'fix/prices',
    sha: 'abc',
    actor: 'bob',
    commit_message: null,
  })
})

it('has one event for each state of a deployment', async () => {
  const ids = await Promise.all(
    kinds.map(async (kind) => (await send(deploy, sample(kind).body)).events[0]?.id),
  )
  expect(new Set(ids).size).toBe(kinds.length)
})

it.each([
  [1752520920123, '2025-07-14T19:22:00.123Z'],
  ['2025-07-14T19:22:00.123Z', '2025-07-14T19:22:00.123Z'],
  [0, null],
  [1e300, null],
  ['soon', null],
])('converts the creation time %j to %j', async (createdAt, occurred_at) => {
  const { events } = await send(deploy, changed(created, ['createdAt'], { to: createdAt }))
  expect(events[0]?.data).toMatchObject({ occurred_at })
})

it.each([
  ['deploy.created', 'storefront: production deployment started', 'info', 'Deployment'],
  ['deploy.succeeded', 'storefront: production deployment succeeded', 'info', 'Deployment'],
  ['deploy.error', 'storefront: production deployment failed', 'error', 'Logs'],
  ['deploy.canceled', 'storefront: production deployment was canceled', 'warning', 'Logs'],
])('announces %s: %s', async (kind, title, severity, label) => {
  const message = await createMessage(deploy, sample(kind).body)
  expect(message).toMatchObject({ title, severity })
  expect(message?.links?.[0]).toMatchObject({ label })
  expect(message?.text).toContain('of main at 9f2c1e7 by Alice Example')
})

it('links only to HTTPS', async () => {
  const body = changed(created, ['payload', 'links'], {
    to: { deployment: 'javascript:alert(1)', project: 'http://vercel.example' },
  })
  expect((await createMessage(deploy, body))?.links).toEqual([])
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples()) {
    expect(requiredFields(deploy, one)).toEqual([
      'type',
      'id',
      'payload',
      'payload.deployment',
      'payload.deployment.id',
    ])
  }
})

it('verifies the example of the Vercel documentation', async () => {
  const body = JSON.stringify(created)
  const digest = createHmac('sha1', secret).update(body).digest('hex')
  const launchpad = createDeploy({ name: 'launchpad', header: 'X-Launchpad-Signature' })
  expect((await send(deploy, body, { signed: { 'X-Deploy-Signature': digest } })).outcome).toBe('accepted')
  expect((await send(launchpad, body, { signed: { 'x-launchpad-signature': digest } })).outcome).toBe(
    'accepted',
  )
  expect((await send(launchpad, body, { signed: { 'x-deploy-signature': digest } })).outcome).toBe('401')
})
