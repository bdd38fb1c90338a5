import { builtInProviders } from '@sallyport/providers'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../test/server-process.ts'
import { readConfig } from './config/config.ts'
import { createNotices } from './notices.ts'

it.each([
  ['a NODE_ENV that means production', { NODE_ENV: 'prod' }, ['NODE_ENV is "prod": only production has no']],
  ['a NODE_ENV without a meaning', { NODE_ENV: 'test' }, []],
  [
    'a public address by http',
    { NODE_ENV: 'production', PUBLIC_URL: 'http://example.com' },
    ['PUBLIC_URL begins'],
  ],
  ['a public address of this machine', { NODE_ENV: 'production', PUBLIC_URL: 'http://localhost:1' }, []],
])('the notices of %s', async (_, environment, expected) => {
  await using folder = await temporaryDirectory()
  const secrets = { JWT_SECRET: 'x'.repeat(32), WEBHOOK_SECRET_CODEHOST: 'secret' }
  const common = { ...secrets, DATA_DIR: folder.path, PROVIDERS: 'codehost', REGISTRATION: 'closed' }
  const result = readConfig({ ...common, ...environment }, builtInProviders)
  if ('problems' in result) throw new Error(result.problems.join())
  expect(createNotices(result.config, { warn: () => undefined }).list()).toEqual(
    expected.map((text) => expect.stringContaining(text) as unknown),
  )
})

it('a misspelled name in PROVIDERS is a problem with the name that is meant', () => {
  expect(readConfig({ PROVIDERS: 'githb' }, builtInProviders)).toEqual({
    problems: ['PROVIDERS names "githb", which is no provider: is github meant?'],
  })
})
