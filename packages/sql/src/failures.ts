/** Failed attempts that are kept of each piece of work: a day of retries takes about 35. */
export const keptFailures = 20
