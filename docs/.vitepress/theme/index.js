import DefaultTheme from "vitepress/theme-without-fonts";
import "./custom.css";

// Without the bundled web fonts: system fonts render at once and need no request.
// biome-ignore lint/style/noDefaultExport: VitePress reads the default export
export default DefaultTheme;
