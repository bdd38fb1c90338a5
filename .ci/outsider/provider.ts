import { defineProvider, hmac } from '@sallyport/webhooks'
import { z } from 'zod'

const temperature = z.object({ sensor: z.string().regex(/^\w{1,100}$/), celsius: z.number() })
const measurement = z.object({ id: z.string(), ...temperature.shape })

/** A provider of a third party, written only with the packages. */
export const thermometer = defineProvider({
  name: 'thermometer',
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-thermometer-signature' }),
  events: { 'temperature.measured': temperature },
  normalize({ payload }) {
    const measured = measurement.safeParse(payload)
    if (!measured.success) return []
    const { id, sensor, celsius } = measured.data
    return { kind: 'temperature.measured', key: [id], subject: sensor, data: { sensor, celsius } }
  },
  notify({ data }) {
    // The payload of a manual test is arbitrary.
    const measured = temperature.safeParse(data)
    const text = measured.success ? `${measured.data.sensor}: ${String(measured.data.celsius)} °C` : 'A test'
    return { title: 'A temperature was measured', text, severity: 'info' }
  },
})
