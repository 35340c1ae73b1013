/** Made by `vite.config.ts` from what the HTML report looks like, too. */
declare module "virtual:look.css";
