/** The address that uses up a one-time token; `base` is where people reach the service, such as `http://localhost:3000`. */
export const signInUrl = (base: string, token: string): string =>
  new URL(`/dashboard/sign-in?token=${token}`, base).href;
