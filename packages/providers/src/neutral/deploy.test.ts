import { testProvider } from '@sallyport/webhooks/testing'
import { expect, it } from 'vitest'
import { changed, requiredFields } from '../../test/fields.ts'
import { slowTest, runner } from '../../test/runner.ts'
import { createMessage, send } from '../../test/send.ts'
import { samples } from './deploy.samples.ts'
import { deploy } from './deploy.ts'

const created = samples.sample('deploy.created').body
const succeeded = samples.sample('deploy.succeeded').body
const toData = async (payload: unknown) => (await send(deploy, payload)).events[0]?.data
const about = (payload: object) =>
  changed(succeeded, ['payload'], { to: { deployment: { id: 'dpl_1' }, ...payload } })

testProvider(runner, {
  provider: deploy,
  samples: samples.samples(),
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
  const preview = samples.samples().at(-1)?.body
  expect(await toData(preview)).toMatchObject({
    ...{ target: null, branch: null, sha: null, actor: null, team_id: null },
  })
  expect((await createMessage(deploy, preview))?.title).toBe('storefront: preview deployment started')
})

it.each(['github', 'gitlab', 'bitbucket'])('reads the commit of %s', async (host) => {
  const meta = Object.fromEntries(
    Object.entries({ Ref: 'fix/prices', Sha: 'abc', AuthorLogin: 'bob', Message: 5 }).map(([name, value]) => [
      `${host}Commit${name}`,
      value,
    ]),
  )
  expect(await toData(about({ deployment: { id: '1', meta } }))).toMatchObject({
    ...{ branch: 'fix/prices', sha: 'abc', actor: 'bob', commit_message: null },
  })
})

it('names the author of the commit rather than the account', async () => {
  const meta = { githubCommitAuthorLogin: 'alice', gitlabCommitAuthorName: 'Alice Example' }
  expect(await toData(about({ deployment: { id: '1', meta } }))).toMatchObject({ actor: 'Alice Example' })
})

it('uses the current name of the project, else the name in the deployment', async () => {
  const deployment = { id: 'dpl_1', name: 'storefront' }
  expect(await toData(about({ deployment }))).toMatchObject({ project: 'storefront', project_id: null })
  const project = { id: 7, name: 'shop' }
  expect(await toData(about({ deployment, project }))).toMatchObject({ project: 'shop', project_id: '7' })
})

it.each([
  ['shop.vercel.app', 'https://shop.vercel.app'],
  ['https://shop.vercel.app', 'https://shop.vercel.app'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['shop.vercel.app/?from=https://example.com', 'https://shop.vercel.app/?from=https://example.com'],
])('converts the address %s to %s', async (url, address) => {
  expect(await toData(about({ deployment: { id: 'dpl_1', url } }))).toMatchObject({ url: address })
})

it('has one event for each state of a deployment', async () => {
  const ids = await Promise.all(
    samples.kinds.map(async (kind) => (await send(deploy, samples.sample(kind).body)).events[0]?.id),
  )
  expect(new Set(ids).size).toBe(samples.kinds.length)
})

it('requires only the identifying fields of a delivery', slowTest, () => {
  for (const one of samples.samples())
    expect(requiredFields(deploy, one)).toEqual([
      'type',
      'payload',
      'payload.deployment',
      'payload.deployment.id',
    ])
})

it.each([
  ['deploy.created', 'started', 'info', ['Deployment', 'Project']],
  ['deploy.succeeded', 'succeeded', 'info', ['Deployment', 'Project', 'Visit']],
  ['deploy.error', 'failed', 'error', ['Logs', 'Project']],
  ['deploy.canceled', 'was canceled', 'warning', ['Logs', 'Project']],
])('announces %s: %s', async (kind, outcome, severity, labels) => {
  const message = await createMessage(deploy, samples.sample(kind).body)
  expect(message).toMatchObject({
    title: `storefront: production deployment ${outcome}`,
    text: `Show prices with their currency\nThe production deployment of main at 9f2c1e7 by Alice Example ${outcome}`,
    severity,
  })
  expect(message?.links?.map(({ label }) => label)).toEqual(labels)
})

it('announces a deployment without details', async () => {
  expect(await createMessage(deploy, about({}))).toEqual({
    title: 'Project: preview deployment succeeded',
    text: 'The preview deployment succeeded',
    severity: 'info',
    links: [],
  })
})

it('truncates a long commit message', async () => {
  const meta = {
    githubCommitMessage: 'm'.repeat(301),
    githubCommitRef: 'b'.repeat(121),
    githubCommitSha: '0123456789',
    githubCommitAuthorName: 'a'.repeat(121),
  }
  const long = about({ target: 't'.repeat(300), deployment: { id: '1', meta } })
  expect((await createMessage(deploy, long))?.text.split('\n')).toEqual([
    `${'m'.repeat(299)}…`,
    `The ${'t'.repeat(119)}… deployment of ${'b'.repeat(119)}… at 0123456 by ${'a'.repeat(119)}… succeeded`,
  ])
})

it('links only to HTTPS', async () => {
  const links = { deployment: 'javascript:alert(1)', project: 'http://vercel.example' }
  expect((await createMessage(deploy, about({ links })))?.links).toEqual([])
})
