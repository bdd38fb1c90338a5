import { z } from 'zod'
import { listOf, mapOf, optional, optionalPart, optionalText, text } from '../fields.ts'
import { optionalTime } from '../time.ts'

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const optionalScalar = optional(scalar)

/** An answer: what was given stands under the name of its type. */
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
  choices: optionalPart({ labels: listOf(text), other: optionalText }),
})

/** What is sent when a form was submitted. */
export const responsePayload = z.object({
  form_response: z.object({
    form_id: text,
    token: text,
    landed_at: optionalTime,
    submitted_at: optionalTime,
    hidden: mapOf(scalar),
    calculated: optionalPart({ score: optional(z.number()) }),
    definition: optionalPart({
      title: optionalText,
      fields: listOf(z.object({ id: text, title: optionalText })),
    }),
    answers: listOf(answerPart),
  }),
})

export type FormResponse = z.output<typeof responsePayload>['form_response']
export type Answer = FormResponse['answers'][number]

// What consumers get.

/** The data of `response.submitted`. */
export const responseSubmitted = z.object({
  response_id: z.string(),
  form_id: z.string(),
  form_title: z.string().nullable(),
  answers: z.array(
    z.object({
      field_id: z.string(),
      /** The name that the form's author gave to the question. */
      ref: z.string().nullable(),
      /** The question, in which `{{…}}` stands for another answer. */
      question: z.string().nullable(),
      /** `text`, `email`, `choices` and so on. */
      type: z.string().nullable(),
      /** What was answered, as text; several where several were chosen, none where the type is not known here. */
      values: z.array(z.string()),
    }),
  ),
  /** What the form's address carried. */
  hidden: z.record(z.string(), z.string()),
  score: z.number().nullable(),
  landed_at: z.string().nullable(),
  submitted_at: z.string().nullable(),
})

/** The kinds of event of Typeform, each with the schema of its data. */
export const typeformEvents = { 'response.submitted': responseSubmitted }
export type TypeformEvents = typeof typeformEvents
