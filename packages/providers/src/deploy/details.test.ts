import { expect, it } from 'vitest'
import { changed } from '../../test/fields.ts'
import { createMessage, send } from '../../test/send.ts'
import { deploy } from './index.ts'
import { sample } from './samples.ts'

const { body } = sample('deploy.succeeded')

const toData = async (payload: unknown) => (await send(deploy, payload)).events[0]?.data
const about = (payload: object) =>
  changed(body, ['payload'], {
    to: { deployment: { id: 'dpl_1' }, ...payload },
  })

it('announces commit, author and links', async () => {
  expect(await createMessage(deploy, body)).toMatchObject({
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
  const failed = await createMessage(deploy, sample('deploy.error').body)
  expect(failed?.links?.map(({ label }) => label)).toEqual(['Logs', 'Project'])
})

it('announces a deployment without details', async () => {
  expect(await toData(about({}))).toMatchObject({
    project: null,
    url: null,
    team_id: null,
    user_id: null,
  })
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
  const message = await createMessage(
    deploy,
    about({ target: 't'.repeat(300), deployment: { id: '1', meta } }),
  )
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
  expect(await toData(about({ deployment: { id: '1', meta } }))).toMatchObject({
    actor: 'Alice Example',
  })
})

it('uses the current name of the project, else the name in the deployment', async () => {
  const deployment = { id: 'dpl_1', name: 'storefront' }
  expect(await toData(about({ deployment }))).toMatchObject({
    project: 'storefront',
    project_id: null,
  })
  expect(await toData(about({ deployment, project: { id: 7, name: 'shop' } }))).toMatchObject({
    project: 'shop',
    project_id: '7',
  })
})

it.each([
  ['shop.vercel.app', 'https://shop.vercel.app'],
  ['https://shop.vercel.app', 'https://shop.vercel.app'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['shop.vercel.app/?from=https://example.com', 'https://shop.vercel.app/?from=https://example.com'],
])('converts the address %s to %s', async (url, address) => {
  expect(await toData(about({ deployment: { id: 'dpl_1', url } }))).toMatchObject({ url: address })
})

it('has its aliases, and ids of team and user as text', async () => {
  const payload = {
    alias: ['shop.example.com', '', 5, 'www.example.com'],
    team: { id: 5 },
    user: { id: 6 },
  }
  expect(await toData(about(payload))).toMatchObject({
    aliases: ['shop.example.com', 'www.example.com'],
    team_id: '5',
    user_id: '6',
  })
})
