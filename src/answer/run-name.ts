/** Which run of a container: `the first run`, `the run after restart 4`. */
export const runName = (restart: number): string =>
  restart === 0 ? 'the first run' : `the run after restart ${restart}`
