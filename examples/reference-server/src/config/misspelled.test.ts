import { expect, it } from 'vitest'
import { describeMisspelled } from './misspelled.ts'

const describe = (...names: readonly string[]) =>
  describeMisspelled(Object.fromEntries(names.map((name) => [name, 'a secret value'])), [
    'JWT_SECRET',
    'WEBHOOK_SECRET_CODEHOST',
  ])

it('names settings and secrets that are probably meant, and no value', () => {
  expect(describe('DATABSE_URL', 'WEBHOOK_SECRET_CODEHOTS', 'PROVIDER')).toEqual([
    'DATABSE_URL is not a setting: use DATABASE_URL, unless another program needs the variable',
    'WEBHOOK_SECRET_CODEHOTS is not a setting: use WEBHOOK_SECRET_CODEHOST, unless another program needs the variable',
    'PROVIDER is not a setting: use PROVIDERS, unless another program needs the variable',
  ])
})

it('says nothing about settings and the variables of other programs', () => {
  expect(
    describe(
      'DATABASE_URL',
      'JWT_SECRET',
      'BUS_URL_2',
      'WEBHOOK_SECRET_CODEHOST_2',
      'HOSTNAME',
      'HOSTS',
      'PATH',
    ),
  ).toEqual([])
})

it('limits the number of notices', () => {
  const names = Array.from({ length: 26 }, (_, index) => `BUS_UR${String.fromCharCode(65 + index)}`)
  expect(describe(...names)).toHaveLength(10)
})
