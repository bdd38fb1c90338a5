import { expect, it } from 'vitest'
import { findClosestName } from './closest-name.ts'

const known = ['BUS_URL', 'PROVIDERS', 'KEEP_UNPROCESSED_HOURS', 'WEBHOOK_SECRET_CODEHOST']

it.each([
  ['BUS_URI', 'BUS_URL'],
  ['BUS_ULR', 'BUS_URL'],
  ['PROVIDER', 'PROVIDERS'],
  ['KEEP_UNPROCESED_HOUR', 'KEEP_UNPROCESSED_HOURS'],
  ['WEBHOOK_SECRET_CODEHOTS', 'WEBHOOK_SECRET_CODEHOST'],
])('takes %s for %s', (name, meant) => {
  expect(findClosestName(name, known)).toBe(meant)
})

it.each(['BUX_URL', 'BUS_UIR_', 'PROVIDE', 'KEEP_UNPROCESSED', 'WEBHOOK_SECRET_GITHUB', ''])(
  'takes %s for no known name',
  (name) => {
    expect(findClosestName(name, known)).toBe(undefined)
  },
)

it('prefers the name with the fewest edits', () => {
  expect(findClosestName('METRICS_POST', ['METRICS_HOST', 'METRICS_PORT'])).toBe('METRICS_HOST')
  expect(findClosestName('METRICS_PORTS', ['METRICS_HOST', 'METRICS_PORT'])).toBe('METRICS_PORT')
})
