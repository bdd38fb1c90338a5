import { expect, it } from 'vitest'
import { parseStep } from './step.ts'

const at = { port: 4000, checkout: '/copy' }
const block = (directive: string, language = 'sh', text = 'npm start') => ({
  directive,
  language,
  text,
  line: 1,
})

it('runs an sh block with the given port', () => {
  expect(parseStep(block('', 'sh', 'curl localhost:3111/health'), at)).toEqual({
    label: 'curl localhost:3111/health',
    text: 'curl localhost:4000/health',
    background: false,
  })
  expect(parseStep(block('another comment'), at)).toMatchObject({ text: 'npm start' })
  expect(parseStep(block('', 'ts'), at)).toBe(undefined)
})

it('applies the directive of a comment', () => {
  expect(parseStep(block('walk: background'), at)).toMatchObject({ text: 'npm start', background: true })
  expect(parseStep(block('walk: prints 200 accepted'), at)).toMatchObject({ prints: '200 accepted' })
  expect(parseStep(block('walk: write server.ts', 'ts', 'listen(3111)'), at)).toMatchObject({
    write: 'server.ts',
    text: 'listen(4000)',
  })
  expect(parseStep(block('walk: checkout', 'sh', 'git clone …'), at)).toMatchObject({ text: "cd '/copy'" })
  expect(parseStep(block('walk: skip, it takes an hour'), at)).toMatchObject({
    label: 'skipped: it takes an hour',
    text: 'true',
  })
})

it('rejects an unknown directive', () => {
  expect(() => parseStep(block('walk: skp'), at)).toThrow('Unknown directive "walk: skp"')
})
