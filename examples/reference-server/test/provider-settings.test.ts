import { builtInProviders } from '@sallyport/providers'
import { defineService, sharedToken } from '@sallyport/webhooks'
import { expect, it } from 'vitest'
import { readConfig, type Config } from '../src/config/config.ts'
import { readRedactPaths } from '../src/config/provider-settings.ts'

const forge = defineService({
  name: 'forge',
  signature: sharedToken({ header: 'x-forge-token' }),
  kind: 'type',
})

const read = (environment: Readonly<Record<string, string>>) =>
  readConfig(
    {
      NODE_ENV: 'production',
      JWT_SECRET: 'x'.repeat(32),
      WEBHOOK_SECRET_GITHUB: 'a secret',
      WEBHOOK_SECRET_FORGE: 'a token',
      PROVIDERS: 'github',
      ...environment,
    },
    [...builtInProviders, forge],
  )

it('narrows the kinds of a provider', () => {
  const { config } = read({ PROVIDER_ONLY: 'github/push, github/pull_request.*' }) as {
    config: { providers: readonly { readonly name: string; readonly only?: readonly string[] }[] }
  }
  expect(config.providers.map(({ name, only }) => [name, only])).toEqual([
    ['github', ['push', 'pull_request.*']],
  ])
})

it('adds the search paths of a provider', () => {
  const { config } = read({ SEARCH_PATHS: 'github/repository.full_name, github/header:x-order' }) as {
    config: { providers: readonly { readonly searchPaths?: readonly string[] }[] }
  }
  expect(config.providers.map(({ searchPaths }) => searchPaths)).toEqual([
    ['repository.full_name', 'header:x-order'],
  ])
})

it('reads the paths of registered providers that are redacted', () => {
  const { config } = read({ REDACT: 'github/a/b.c, */**.email, stripe/x' }) as { config: Config }
  expect(readRedactPaths(config.settings, config.providers)).toEqual({
    '*': ['**.email'],
    github: ['a/b.c'],
  })
})

it.each([
  [
    'PROVIDER_ONLY',
    'github',
    'PROVIDER_ONLY has to be a list such as github/push,github/pull_request.*, not ""',
  ],
  [
    'PROVIDER_ONLY',
    'github/p*',
    'PROVIDER_ONLY has to be a list such as github/push,github/pull_request.*, not "p*"',
  ],
  ['PROVIDER_ONLY', 'githob/push', 'PROVIDER_ONLY names "githob", which is not a provider'],
  ['ALLOW_UNSIGNED', 'forges', 'ALLOW_UNSIGNED names "forges", which is not a provider'],
  ['SEARCH_PATHS', 'github/a..b', 'SEARCH_PATHS has to be a list such as shopify/order_number, not "a..b"'],
  ['SEARCH_PATHS', 'githob/a', 'SEARCH_PATHS names "githob", which is not a provider'],
  [
    'REDACT',
    'github/a..b',
    'REDACT has to be a list such as stripe/data.object.email,*/**.email, not "github/a..b"',
  ],
  ['REDACT', '*/**', 'REDACT has to be a list such as stripe/data.object.email,*/**.email, not "*/**"'],
  ['REDACT', 'githob/a', 'REDACT names "githob", which is not a provider'],
  ['MANUAL_TESTS_OFF', 'all,forges', 'MANUAL_TESTS_OFF names "forges", which is not a provider'],
])('rejects %s=%s', (name, value, problem) => {
  expect(read({ [name]: value })).toEqual({ problems: [problem] })
})

it('registers a provider without a signature only if ALLOW_UNSIGNED names it', () => {
  expect(read({ PROVIDERS: 'forge' })).toEqual({
    problems: [
      'The signature of forge does not cover the whole body: name forge in ALLOW_UNSIGNED to accept deliveries that may be forged',
    ],
  })
  expect(read({ PROVIDERS: 'forge', ALLOW_UNSIGNED: 'forge' })).toHaveProperty('config')
})

it.each([
  ['codehost', [false, undefined]],
  ['all', [false, false]],
  ['', [undefined, undefined]],
])('turns off the manual tests of providers: %j', (names, expected) => {
  const { config } = read({
    ...{ PROVIDERS: 'codehost,tasks', MANUAL_TESTS_OFF: names },
    ...{ WEBHOOK_SECRET_CODEHOST: 'a secret', WEBHOOK_SECRET_TASKS: 'a secret' },
  }) as { config: { providers: readonly { readonly manualTests?: boolean }[] } }
  expect(config.providers.map(({ manualTests }) => manualTests)).toEqual(expected)
})
