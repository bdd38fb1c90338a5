/**
 * Sample deliveries of Typeform.
 *
 * @module
 */
import { recordedSamples, renamed, seconds } from '../provider-samples.ts'
import responseSubmitted from './fixtures/response.submitted.json' with { type: 'json' }

const { body } = responseSubmitted
const { form_response: response } = body

export const { kinds, sample, samples } = recordedSamples([
  {
    kind: 'response.submitted',
    ...responseSubmitted,
    renew: ({ uuid, now }) => ({
      body: {
        ...renamed(body, response.token, uuid.replaceAll('-', '')),
        event_id: uuid,
        form_response: {
          ...renamed(response, response.token, uuid.replaceAll('-', '')),
          submitted_at: seconds(now),
        },
      },
    }),
  },
])
