import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'

const text = z.string().min(1)
const id = z.string().regex(/^[\w-]+$/)
const question = { label: text, description: text.optional() }
const open = { ...question, placeholder: text.optional(), value: text.optional() }
const validations = z.strictObject({ required: z.boolean() }).optional()

/** The form elements in use. @see https://docs.github.com/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema */
const element = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('markdown'), attributes: z.strictObject({ value: text }) }),
  z.strictObject({ type: z.literal('input'), id, attributes: z.strictObject(open), validations }),
  z.strictObject({
    type: z.literal('textarea'),
    id,
    attributes: z.strictObject({ ...open, render: text.optional() }),
    validations,
  }),
  z.strictObject({
    type: z.literal('dropdown'),
    id,
    attributes: z.strictObject({
      ...question,
      multiple: z.boolean().optional(),
      options: z.array(text).min(2),
    }),
    validations,
  }),
])

const form = z.strictObject({
  name: text,
  description: text,
  title: text.optional(),
  labels: z.array(text).optional(),
  body: z
    .array(element)
    .refine((elements) => elements.some(({ type }) => type !== 'markdown'), 'a form needs a question')
    .refine((elements) => {
      const ids = elements.flatMap((one) => ('id' in one ? one.id : []))
      return new Set(ids).size === ids.length
    }, 'ids must be unique'),
})

const chooser = z.strictObject({
  blank_issues_enabled: z.boolean(),
  contact_links: z.array(z.strictObject({ name: text, url: z.httpUrl(), about: text })),
})

const folder = fileURLToPath(new URL('../../.github/ISSUE_TEMPLATE/', import.meta.url))
const read = (name: string): unknown => parse(readFileSync(folder + name, 'utf8'))
const forms = globSync('*.yml', { cwd: folder }).filter((name) => name !== 'config.yml')

it('has forms and contact links', () => {
  expect(forms.sort()).toEqual(['bug.yml', 'provider.yml'])
  expect(chooser.parse(read('config.yml')).contact_links.map(({ name }) => name)).toEqual([
    'Question',
    'Vulnerability',
  ])
})

it.each(forms)('%s is a valid form', (name) => {
  form.parse(read(name))
})
