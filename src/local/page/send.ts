/** Sends JSON to the page's server; gives why it was not taken, or null. */
export async function send(
  path: '/local/command' | '/local/press' | '/local/home',
  body: object,
): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return response.ok ? null : (await response.text()).trim()
  } catch {
    return 'podwhy does not answer: is it still running?'
  }
}
