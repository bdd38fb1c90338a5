import { z } from 'zod'
import { validElements, validEntries, optional, optionalPart, optionalText, text } from '../fields.ts'
import { optionalTime } from '../time.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const optionalScalar = optional(scalar)

/** An answer; its value is in the field named by its type. */
const answerPart = z.object({
  type: optionalText,
  field: z.object({ id: text, ref: optionalText }),
  text: optionalScalar,
  email: optionalScalar,
  url: optionalScalar,
  file_url: optionalScalar,
  phone_number: optionalScalar,
  date: optionalScalar,
  number: optionalScalar,
  boolean: optionalScalar,
  choice: optionalPart({ label: optionalText, other: optionalText }),
  choices: optionalPart({ labels: validElements(text), other: optionalText }),
})

/** The payload of a submitted form. */
export const responsePayload = z.object({
  form_response: z.object({
    form_id: text,
    token: text,
    landed_at: optionalTime,
    submitted_at: optionalTime,
    hidden: validEntries(scalar),
    calculated: optionalPart({ score: optional(z.number()) }),
    definition: optionalPart({
      title: optionalText,
      fields: validElements(z.object({ id: text, title: optionalText })),
    }),
    answers: validElements(answerPart),
  }),
})

export type FormResponse = z.output<typeof responsePayload>['form_response']
export type Answer = FormResponse['answers'][number]

// Data of published events.

/** The data of `response.submitted`. */
export const responseSubmitted = z.object({
  response_id: z.string(),
  form_id: z.string(),
  form_title: z.string().nullable(),
  answers: z.array(
    z.object({
      field_id: z.string(),
      /** The name that the author of the form gave to the question. */
      ref: z.string().nullable(),
      /** The text of the question; `{{…}}` refers to another answer. */
      question: z.string().nullable(),
      /** `text`, `email`, `choices` and so on. */
      type: z.string().nullable(),
      /** The answer as text, one value per choice; empty for an unknown type. */
      values: z.array(z.string()),
    }),
  ),
  /** The hidden fields from the address of the form. */
  hidden: z.record(z.string(), z.string()),
  score: z.number().nullable(),
  landed_at: z.string().nullable(),
  submitted_at: z.string().nullable(),
})

/** The kinds of events of Typeform with the schemas of their data. */
export const typeformEvents = { 'response.submitted': responseSubmitted }
export type TypeformEvents = typeof typeformEvents
