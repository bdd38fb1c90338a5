import { expect, it } from 'vitest'
import { changed } from '../../test/fields.ts'
import { messageOf, send } from '../../test/send.ts'
import { deploy } from './index.ts'
import { sample } from './samples.ts'

const { body } = sample('deploy.succeeded')

const dataOf = async (payload: unknown) => (await send(deploy, payload)).events[0]?.data
const about = (payload: object) =>
  changed(body, ['payload'], {
    to: { deployment: { id: 'dpl_1' }, ...payload },
  })

it('tells what was committed, by whom, and where to look', async () => {
  expect(await messageOf(deploy, body)).toMatchObject({
    text: 'Show prices with their currency\nThe production deployment of main at 9f2c1e7 by Alice Example succeeded',
    links: [
      {
        label: 'Deployment',
        url: 'https://vercel.com/example-shop/storefront/8xWq2mLh4RtZ5vK1nB7cYdPfJ3Ga',
      },
      { label: 'Project', url: 'https://vercel.com/example-shop/storefront' },
      {
        label: 'Visit',
        url: 'https://storefront-7fk2m9x1q-example-shop.vercel.app/',
      },
    ],
  })
  const failed = await messageOf(deploy, sample('deploy.error').body)
  expect(failed?.links?.map(({ label }) => label)).toEqual(['Logs', 'Project'])
})

it('tells what there is of a deployment that says nothing of itself', async () => {
  expect(await dataOf(about({}))).toMatchObject({
    project: null,
    url: null,
    team_id: null,
    user_id: null,
  })
  expect(await messageOf(deploy, about({}))).toEqual({
    title: 'Project: preview deployment succeeded',
    text: 'The preview deployment succeeded',
    severity: 'info',
    links: [],
  })
})

it('shows of a commit a beginning, however much there is of it', async () => {
  const meta = {
    githubCommitMessage: 'm'.repeat(301),
    githubCommitRef: 'b'.repeat(121),
    githubCommitSha: '0123456789',
    githubCommitAuthorName: 'a'.repeat(121),
  }
  const message = await messageOf(deploy, about({ target: 't'.repeat(300), deployment: { id: '1', meta } }))
  expect(message?.text.split('\n')).toEqual([
    `${'m'.repeat(299)}…`,
    `The ${'t'.repeat(119)}… deployment of ${'b'.repeat(119)}… at 0123456 by ${'a'.repeat(119)}… succeeded`,
  ])
})

it('names the author of the commit rather than the account', async () => {
  const meta = {
    githubCommitAuthorLogin: 'alice',
    gitlabCommitAuthorName: 'Alice Example',
  }
  expect(await dataOf(about({ deployment: { id: '1', meta } }))).toMatchObject({
    actor: 'Alice Example',
  })
})

it('names the project as it is called now, else as the deployment has it', async () => {
  const deployment = { id: 'dpl_1', name: 'storefront' }
  expect(await dataOf(about({ deployment }))).toMatchObject({
    project: 'storefront',
    project_id: null,
  })
  expect(await dataOf(about({ deployment, project: { id: 7, name: 'shop' } }))).toMatchObject({
    project: 'shop',
    project_id: '7',
  })
})

it.each([
  ['shop.vercel.app', 'https://shop.vercel.app'],
  ['https://shop.vercel.app', 'https://shop.vercel.app'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['shop.vercel.app/?from=https://example.com', 'https://shop.vercel.app/?from=https://example.com'],
])('is at %s: %s', async (url, address) => {
  expect(await dataOf(about({ deployment: { id: 'dpl_1', url } }))).toMatchObject({ url: address })
})

it('has the names that it is going to have, and the ids of its team and user as text', async () => {
  const payload = {
    alias: ['shop.example.com', '', 5, 'www.example.com'],
    team: { id: 5 },
    user: { id: 6 },
  }
  expect(await dataOf(about(payload))).toMatchObject({
    aliases: ['shop.example.com', 'www.example.com'],
    team_id: '5',
    user_id: '6',
  })
})
