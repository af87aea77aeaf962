import { render } from "preact";
import { SetupPage } from "./SetupPage.tsx";
import "../src/styles/base.css";
import "../src/styles/controls.css";
import "./setup.css";

const place = document.getElementById("page");
if (place) render(<SetupPage />, place);
