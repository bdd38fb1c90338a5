import { expect, it } from 'vitest'
import { stepOf } from './step.ts'

const at = { port: 4000, checkout: '/copy' }
const block = (directive: string, language = 'sh', text = 'npm start') => ({
  directive,
  language,
  text,
  line: 1,
})

it('runs what a page says, on a port of its own', () => {
  expect(stepOf(block('', 'sh', 'curl localhost:3111/health'), at)).toEqual({
    told: 'curl localhost:3111/health',
    text: 'curl localhost:4000/health',
    background: false,
  })
  expect(stepOf(block('another comment'), at)).toMatchObject({ text: 'npm start' })
  expect(stepOf(block('', 'ts'), at)).toBe(undefined)
})

it('heeds what a comment says that cannot be taken literally', () => {
  expect(stepOf(block('walk: background'), at)).toMatchObject({ text: 'npm start', background: true })
  expect(stepOf(block('walk: prints 200 accepted'), at)).toMatchObject({ prints: '200 accepted' })
  expect(stepOf(block('walk: write server.ts', 'ts', 'listen(3111)'), at)).toMatchObject({
    write: 'server.ts',
    text: 'listen(4000)',
  })
  expect(stepOf(block('walk: checkout', 'sh', 'git clone …'), at)).toMatchObject({ text: "cd '/copy'" })
  expect(stepOf(block('walk: skip, it takes an hour'), at)).toMatchObject({
    told: 'skipped: it takes an hour',
    text: 'true',
  })
})

it('refuses a comment that it does not know, rather than to do nothing', () => {
  expect(() => stepOf(block('walk: skp'), at)).toThrow('Nobody knows what "walk: skp" means')
})
