/** What to do about data that JSON makes something else of. */
export const adviceOnData =
  'handlers are given what JSON makes of data from the second attempt on. ' +
  'Let the schema give texts or numbers for times, texts for big integers, and null or nothing for what is undefined'

/** What a store makes of data; a text where it can make nothing. */
export function journey(data: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(data))
  } catch (error) {
    return String(error)
  }
}
